# SPDX-License-Identifier: MIT
"""Which design suits a program: its messages once, a cost model of designs, and the best of them tried."""
