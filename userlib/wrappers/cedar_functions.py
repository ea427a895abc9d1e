# SPDX-License-Identifier: MIT
"""Functions that loops call and the program unit has declared by their type alone. For gfortran a loop is a
block, in which such a name is a variable of the unit unless this says what it is."""

import re

from cedar_commons import declares, executable
from cedar_loops import begun
from fortran_edits import Edits
from fortran_source import Statement, fixed_form, silent
from fortran_types import TYPED, top_level

# Fortran 77's.
INTRINSICS = set(
    """abs acos aimag aint alog alog10 amax0 amax1 amin0 amin1 amod anint asin atan atan2 cabs ccos cexp
    char clog cmplx conjg cos cosh csin csqrt dabs dacos dasin datan datan2 dble dcos dcosh ddim
    dexp dfloat dim dint dlog dlog10 dmax1 dmin1 dmod dnint dprod dsign dsin dsinh dsqrt dtan dtanh
    exp float iabs ichar idim idint idnint ifix index int isign len lge lgt lle llt log log10 max
    max0 max1 min min0 min1 mod nint real sign sin sinh sngl sqrt tan tanh""".split()
)


def translate(edits: Edits, unit: list[Statement]):
    if not any(begun(statement) for statement in unit):
        return
    first = unit.index(executable(unit))
    declarations, rest = unit[:first], unit[first:]
    told = " ".join(one.packed for one in declarations if one is not unit[0])
    known = set(re.findall(r"([a-z]\w*)\(", told))
    for statement in declarations:
        if re.match(r"external|intrinsic", statement.packed):
            known.update(re.findall(r"[a-z]\w*", re.sub(r"^(?:external|intrinsic)", "", statement.packed)))
    text = "\n".join(silent(statement.packed) for statement in rest)
    for statement in declarations:
        typed = TYPED.match(statement.packed) if declares(statement) else None
        if not typed:
            continue
        for part in top_level(typed.group(2).removeprefix("::")):
            # Of characters, a(1:2) is a part of a variable.
            call = rf"(?<!\w){re.escape(part)}\((?![^()]*:)"
            if re.fullmatch(r"[a-z]\w*", part) and part not in known and re.search(call, text):
                kind = "intrinsic" if part in INTRINSICS else "external"
                edits.behind(statement, fixed_form("", f"{kind} {part}"))
                known.add(part)
