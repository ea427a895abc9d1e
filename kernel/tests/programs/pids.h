/* SPDX-License-Identifier: MIT */
/* What pids_host and pids_node say to each other. */
enum {
    type_order = 1,
    type_answer = 2,
    type_flood = 3,
    type_left = 4,
    type_ask = 5,
    type_reply = 6,
    host_pid = 100,
    other_pid = 40
};
enum { order_end = -1, order_greet, order_look, order_flood, order_ask, order_rename };
enum { flood_messages = 20, flood_bytes = 60000 };
