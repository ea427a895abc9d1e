# SPDX-License-Identifier: MIT
"""What the tools of several studies share: runs that are kept, statements that are judged, and tables."""
