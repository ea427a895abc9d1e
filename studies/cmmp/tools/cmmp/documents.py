# SPDX-License-Identifier: MIT
"""What Oleinick and Fuller print (1978), by table and figure; times in milliseconds."""

# Columns of tables 4.1 and 4.2, by our names for them, in the order of their thresholds.
KINDS = {
    "spin": "spin lock",
    "kernel": "kernel semaphore",
    "policy-1:300ms": "policy module 1, epsilon 300 ms",
    "policy-1:0s": "policy module 1, epsilon 0",
    "policy-0": "policy module 0",
}
# Table 4.1: does a V; from V until the process runs; P until the context switch; in the policy module.
COSTS = {
    "spin": (0.03, 0.03, None, None),
    "kernel": (3, 5, 3, None),
    "policy-0": (6, 55, 9, 62),
    "policy-1:0s": (5, 50, 6, 20),
    "policy-1:300ms": (5, 13, 6, 0),
}
FIRST_AND_LAST = (60, 130)  # figure 3.8: from V until the first and the last of five runs under policy-0
THRESHOLDS = {"spin": 2, "kernel": 18, "policy-1:300ms": 33, "policy-1:0s": 80, "policy-0": 200}  # table 4.2
STAGES = (54, 34, 27, 23, 21, 19, 18, 17, 16, 16, 15, 15)
# Speed-ups that the text gives: the most, and at how many processes.
AUTHENTIC = {"spin": (2.8, 8), "kernel": (2.4, 8), "policy-1:300ms": (2.0, 6)}  # figure 4.2, 72 ms
CONSTANT = {"spin": (2.8, 7), "policy-0": (2.1, 7)}  # figure 4.3, 375 ms
AT_NINE = {"spin": 2.0, "policy-0": 2.0}  # "slightly more", and "nearly identical": on seven fast processors
STARTS = 55  # ms: under policy-0 the nth process starts n times as much after a stage has begun (4.3.3)
# Theory (3.6) with a deviation of 0.278, worked out from the equations: constant, normal, exponential.
THEORY = {
    1: (1.000, 1.000, 1.000), 2: (1.588, 1.373, 1.059), 3: (2.000, 1.619, 1.091), 4: (2.348, 1.825, 1.127),
    5: (2.571, 1.943, 1.126), 6: (2.842, 2.102, 1.160), 7: (3.000, 2.180, 1.157), 8: (3.176, 2.276, 1.169),
    9: (3.375, 2.389, 1.193), 10: (3.375, 2.364, 1.152), 11: (3.600, 2.498, 1.192), 12: (3.600, 2.478, 1.160),
}  # fmt: skip
AUTHENTIC_MEAN, AUTHENTIC_DEVIATION = 72, 25  # percent
LONG = 375
# Figure 3.6: the best speed-up, and at how many processes; code pages in banks of their own, and in one.
CODE = {"private": (2.60, 9), "shared": (1.53, 3)}
# Tables 3.5 and 3.6: of memory cycles as long as each class says, so many; upper bounds in microseconds.
CYCLE_CLASSES = (0.5, 1.0, 2.0, 5.0, 14.0, 50.0)
CYCLES = {
    "private": (0, 85_134, 13_876, 958, 31, 1),
    "common": (0, 69_453, 11_601, 3_344, 15_421, 181),
}
# Table 3.8: the largest over the smallest of each source of variation.
RANKING = {
    "application": 3.4,
    "memory contention": 3.0,
    "kernel processes": 2.8,
    "processors": 1.6,
    "interrupts": 1.3,
    "memories": 1.07,
}
