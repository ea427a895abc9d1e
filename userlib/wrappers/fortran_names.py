# SPDX-License-Identifier: MIT
"""VMS's names for intrinsics that gfortran has under other names, in longest and shortest integers."""

import re

from fortran_source import Statement

NAMES = {
    **{name: "MAX0" for name in ("JMAX0", "IMAX0")},
    **{name: "MIN0" for name in ("JMIN0", "IMIN0")},
    **{name: "MAX1" for name in ("JMAX1", "IMAX1")},
    **{name: "MIN1" for name in ("JMIN1", "IMIN1")},
    **{name: "AMAX0" for name in ("AJMAX0", "AIMAX0")},
    **{name: "AMIN0" for name in ("AJMIN0", "AIMIN0")},
    **{name: "INT" for name in ("JINT", "IINT")},
    **{name: "IFIX" for name in ("JIFIX", "IIFIX", "JFIX")},
    **{name: "IDINT" for name in ("JIDINT", "IIDINT")},
    **{name: "NINT" for name in ("JNINT", "ININT")},
    **{name: "IDNINT" for name in ("JIDNNT", "IIDNNT")},
    **{name: "IDIM" for name in ("JIDIM", "IIDIM")},
    **{name: "ISIGN" for name in ("JISIGN", "IISIGN")},
    **{name: "DFLOAT" for name in ("DFLOTJ", "DFLOTI")},
}
LOWER = {name.lower() for name in NAMES}
USED = re.compile(rf"(?<![\w'])({'|'.join(NAMES)})(?=\s*\()", re.I)


def used_in(unit: list[Statement]) -> set[str]:
    return {name.lower() for statement in unit for name in USED.findall(statement.body)}


def translate(body: str, own: set[str]) -> str:
    """The statement with today's names, but for those that the program has given to something of its own."""
    return USED.sub(lambda one: one[1] if one[1].lower() in own else NAMES[one[1].upper()], body)
