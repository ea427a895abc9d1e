# SPDX-License-Identifier: MIT
"""make test: what tests there are, which of them are asked for, and running them."""
