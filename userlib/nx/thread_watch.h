/* SPDX-License-Identifier: MIT */
/* Message calls are for the thread that has joined, the program's first: others of its threads would run the
 * message system as if they were that. From the first pthread_create on the program's calls go through here,
 * and one of another thread ends the program with a sentence; programs without threads pay nothing. */
#ifndef PARLEY_NX_THREAD_WATCH_H
#define PARLEY_NX_THREAD_WATCH_H

/* The caller is about to make a thread. Any thread may call this, as often as it likes. */
void nx_watch_threads(void);
/* Ends the program with a sentence if the caller is another thread than the one that has joined: for calls
 * that go through nothing that is bound. */
void nx_refuse_other_threads(void);
/* Whether the caller is the thread that has joined. This sees threads that only a library makes, too; where
 * there are none, it asks nobody. Signal handlers may call it. */
int nx_is_first_thread(void);

#endif
