# SPDX-License-Identifier: MIT
"""What records say, drawn and judged: reports, comparisons of runs, and the paper's figures."""
