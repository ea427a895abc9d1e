# SPDX-License-Identifier: MIT
"""The study of Islam and Campbell: what they print, what is measured beside it, and the figures of both."""
