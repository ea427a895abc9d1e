# SPDX-License-Identifier: MIT
"""What the compiler wrappers do to an old source file: old_source.py WIDTH FILE TARGET HEADERS... writes the
translated text to TARGET; where there is nothing to translate it writes nothing. WIDTH: the last column of
Fortran's fixed form; none or 0: there is no last one.
old_source.py -long32 FILE TARGET HOME makes long narrow in preprocessed C."""

import sys

import long32
import old_c
import old_cxx
import old_fortran


def main() -> int:
    if sys.argv[1] == "-long32":
        with open(sys.argv[2], encoding="latin-1") as file:
            text = long32.narrow(file.read(), sys.argv[4])
        with open(sys.argv[3], "w", encoding="latin-1") as file:
            file.write(text)
        return 0
    width, path, target, *headers = sys.argv[1:]
    ending = path.rsplit(".", 1)[-1]
    language = {"c": old_c, "C": old_cxx, "cc": old_cxx, "cpp": old_cxx, "cxx": old_cxx}.get(ending)
    last_column = int(width) if width.isdigit() and int(width) else sys.maxsize
    try:
        if language:
            text = language.translate(path, headers)
        else:
            text = old_fortran.translate(path, headers, last_column)
    except OSError:
        return 0  # the compiler says what is wrong with the file
    if text is not None:
        with open(target, "w", encoding="latin-1") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
