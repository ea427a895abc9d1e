# SPDX-License-Identifier: MIT
"""What the paper prints about its two applications. Its curves (figures 17, 19, 20, 22) have not survived;
their statements have. Relative times have pointer transfer at 1."""

TRANSFERS = {"exp2": "pointer", "exp1": "single copy", "exp6": "double copy"}
FFT_MESSAGE_BYTES = {  # figure 2: nodes -> points -> bytes
    2: {128: 512, 256: 1024, 512: 2048, 1024: 4096, 2048: 8192},
    4: {128: 256, 256: 512, 512: 1024, 1024: 2048, 2048: 4096},
    8: {128: 128, 256: 256, 512: 512, 1024: 1024, 2048: 2048},
}
FFT_RELATIVE = {  # figure 18, 1024 points: nodes -> pointer, single copy, double copy
    1: (1, 1, 1),
    2: (1, 1.08, 1.04),
    4: (1, 0.90, 0.96),
    8: (1, 0.65, 0.83),
}
SIMPLEX_MESSAGES = {2: 585, 4: 881, 8: 1528}  # figure 3
SIMPLEX_SIZES = {128: 81.99, 814: 18, 1192: 0.01}  # figure 4, in percent, over 2 to 8 nodes
SIMPLEX_MEAN_BYTES = 251
SIMPLEX_RELATIVE = {  # figure 21
    1: (1, 1, 1),
    2: (1, 1.06, 1.20),
    4: (1, 1.03, 1.05),
    8: (1, 0.98, 0.95),
}
RING_US = {  # a round trip on the Multimax, no access: what the text prints of figures 5 to 15
    "exp2": {128: 770, 1024: 770, 4096: 770},
    "exp6": {128: 800, 4096: 12171},
}
BASE_US = {  # figures 9 and 16, and 5.1.4: what 4096 bytes take, and what calls and switches do
    "read": 632,
    "write": 1190,
    "copy": 1761,
    "proxy call": 72,
    "context switch": 412,
}
RING_OTHERS_US = {  # more round trips, and differences between them
    "exp2, read access, 4096 bytes": 2884,
    "exp6, write access, 4096 bytes": 17872,
    "exp6 - exp1, 2048 bytes": 2690,
    "exp1 - exp5": 144,
}
GANG_MS = {  # figure 23: members -> create and add, schedule and collect, ready to running min and max
    2: (78, 4.0, 3.0, 3.4),
    4: (85, 4.2, 3.1, 3.5),
    6: (90, 4.4, 3.8, 4.6),
    8: (98, 5.0, 4.3, 5.0),
}
GANG_SINGLE_MS = 2.0  # a uniprocessor dispatch
HYPERCUBE_US = {"none": {4096: 4360}, "read": {4096: 23410}, "write": {4096: 29850}}  # figures 7 and 13
NULL_US = {"proxy calls": 288, "virtual function calls": 72, "the rest": 280}  # figure 16
# Figure 10: what is done with each item of a message on its way there and back, by the strings in 5.1.1.
OPERATIONS = {
    "exp1": {"cache reads": 2, "memory reads": 2, "writes": 2},
    "exp6": {"cache reads": 4, "memory reads": 2, "writes": 4},
}
EXTRA_COPIES_US = 2048  # what 5.1.1 explains of the difference between exp6 and exp1 at 2048 bytes
FFT_POINTER_LOSS_US = 12579  # 5.2.1: what pointer transfer takes longer than single copy
READ_MISS_NS = 320  # 2.6
