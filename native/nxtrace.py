#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws and tells what nxrun --trace has kept; nxtrace --help says more."""

import os
import sys

sys.dont_write_bytecode = True  # the folder belongs to who installed it
BESIDE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(BESIDE, "lib", "parley", "nxtrace"))

try:
    from parley_runner.trace_command import main
except KeyboardInterrupt:
    sys.exit(130)

sys.exit(main())
