# SPDX-License-Identifier: MIT
"""Mutants: concurrency faults that rules plant, and the tests that should find them."""
