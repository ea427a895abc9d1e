# SPDX-License-Identifier: MIT
"""What a traced machine wrote down, made visible."""
