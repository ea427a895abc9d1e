#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the kernel's symbol tables (kernel/report/symbols.cpp) from a linked kernel, as assembly on standard
output.

usage: kernel_symbols.py PREFIX KERNEL.elf     (PREFIX: the toolchain's, may be empty)
       kernel_symbols.py --empty               tables without entries, for the first link
"""

import re
import subprocess
import sys


class Texts:
    """Each text once, with its offset."""

    def __init__(self):
        self.offsets = {}
        self.size = 0

    def add(self, text):
        if text not in self.offsets:
            self.offsets[text] = self.size
            self.size += len(text.encode()) + 1
        return self.offsets[text]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def read_functions(prefix, kernel):
    """(start of text, end of text, [(address, name)])"""
    start = end = 0
    functions = []
    for line in run(prefix + "nm", "-n", "-C", kernel).splitlines():
        address, kind, name = line.split(" ", 2)
        if name == "text_start":
            start = int(address, 16)
        elif name == "text_end":
            end = int(address, 16)
        elif kind in "tTwW":
            functions.append((int(address, 16), name))
    return start, end, [f for f in functions if start <= f[0] < end]


def read_lines(prefix, kernel):
    """[(address, file, line)], ascending"""
    rows = []
    pattern = re.compile(r"^(\S+)\s+(\d+)\s+0x([0-9a-f]+)\s")
    path = ""
    for line in run(prefix + "objdump", "--dwarf=decodedline", "-WL", kernel).splitlines():
        if line.endswith(":") and ("/" in line or "." in line) and " " not in line:
            path = line[:-1]
        match = pattern.match(line)
        if match:
            name = path if path.endswith(match[1].lstrip(".")) else match[1]
            rows.append((int(match[3], 16), name.removeprefix("./"), int(match[2])))
    rows.sort(key=lambda row: row[0])
    return rows


def thin(rows):
    """Drop rows that say what the row before says, and all but the last of one address."""
    kept = []
    for row in rows:
        if kept and kept[-1][0] == row[0]:
            kept.pop()
        if not kept or kept[-1][1:] != row[1:]:
            kept.append(row)
    return kept


def write(functions, lines, texts):
    out = ["/* SPDX-License-Identifier: MIT */", '.section .rodata.symbols, "a"', ".balign 8"]
    for name in ("function_count", "line_count", "functions", "lines", "texts"):
        out.append(f".global symbol_{name}")
    out += ["symbol_function_count:", f".long {len(functions)}", "symbol_line_count:", f".long {len(lines)}"]
    out.append("symbol_functions:")
    out += [f".long {offset}, {name}" for offset, name in functions]
    out.append("symbol_lines:")
    out += [f".long {offset}, {file}, {line}" for offset, file, line in lines]
    out.append("symbol_texts:")
    for text in texts.offsets:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        out.append(f'.asciz "{escaped}"')
    out.append('.section .note.GNU-stack, "", @progbits')
    print("\n".join(out))


def main():
    texts = Texts()
    if sys.argv[1:] == ["--empty"]:
        return write([], [], texts)
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    prefix, kernel = sys.argv[1:]
    start, end, named = read_functions(prefix, kernel)
    functions = [(address - start, texts.add(name)) for address, name in named]
    lines = [
        (address - start, texts.add(file), line)
        for address, file, line in thin(read_lines(prefix, kernel))
        if start <= address < end
    ]
    return write(functions, lines, texts)


if __name__ == "__main__":
    main()
