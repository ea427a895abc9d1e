# SPDX-License-Identifier: MIT
"""The study of C.mmp: theory, measurements, thresholds."""
