# SPDX-License-Identifier: MIT
"""The runner: makes the archive, boots the kernel in QEMU, reads the results channel, tells what happened."""
