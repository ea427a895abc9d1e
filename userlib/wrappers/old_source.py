# SPDX-License-Identifier: MIT
"""What the compiler wrappers do to an old source file: old_source.py WIDTH FILE TARGET HEADERS writes the
translated text to TARGET, and those of the program's own C headers beside it, where the compiler finds them
first; where there is nothing to translate it writes nothing. WIDTH: the last column of
Fortran's fixed form; none or 0: there is no last one. HEADERS: their folders, with colons between them. With
-cedar before them Fortran may be Cedar's.
old_source.py -long32 FILE TARGET HOME makes long narrow in preprocessed C."""

import os
import sys

# What translates a language is read where one is translated: to read all of it takes most of the time of a
# command that has a small C file.


def write(path: str, text: str):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="latin-1") as file:
        file.write(text)


def main() -> int:
    if sys.argv[1] == "-long32":
        import long32

        with open(sys.argv[2], encoding="latin-1") as file:
            text = long32.narrow(file.read(), sys.argv[4])
        with open(sys.argv[3], "w", encoding="latin-1") as file:
            file.write(text)
        return 0
    of_cedar = sys.argv[1] == "-cedar"
    width, path, target, folders = sys.argv[1 + of_cedar :]
    headers = folders.split(":")
    ending = path.rsplit(".", 1)[-1]
    last_column = int(width) if width.isdigit() and int(width) else sys.maxsize
    beside: dict[str, str] = {}
    try:
        if ending == "c":
            import old_c

            text, beside = old_c.translate(path, headers)
        elif ending in ("C", "cc", "cpp", "cxx"):
            import old_cxx

            text = old_cxx.translate(path, headers)
        else:
            import old_fortran

            text = old_fortran.translate(path, headers, last_column)
            if of_cedar:
                import cedar_fortran

                text = cedar_fortran.translate(text, path, last_column)
    except OSError:
        return 0  # the compiler says what is wrong with the file
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    if text is not None:
        write(target, text)
    for name, header in beside.items():
        write(os.path.join(os.path.dirname(target), name), header)
    return 0


if __name__ == "__main__":
    sys.exit(main())
