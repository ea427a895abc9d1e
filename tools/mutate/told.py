# SPDX-License-Identifier: MIT
"""What people tell of mutants: files of one table of entries, all of whose fields are text."""

import tomllib


class Unusable(Exception):
    """A file that cannot be read, or an entry that lacks something; the sentence says which."""


def entries(paths: list[str], table: str, fields: tuple[str, ...], optional: tuple[str, ...] = ()):
    """(path, entry) for all of them, each with its fields."""
    for path in paths:
        try:
            with open(path, "rb") as file:
                found = tomllib.load(file)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise Unusable(f"{path} cannot be read: {problem}.") from None
        for name, some in found.items():
            if name != table or not (isinstance(some, list) and all(isinstance(one, dict) for one in some)):
                raise Unusable(f"{path}: '{name}' is not known; every entry begins with [[{table}]].")
            for entry in some:
                missing = [field for field in fields if not isinstance(entry.get(field), str)]
                if missing:
                    raise Unusable(f"{path}: an entry has no {' and no '.join(missing)}: {entry}.")
                unknown = sorted(set(entry) - {*fields, *optional})
                if unknown:
                    raise Unusable(f"{path}: an entry has a field that is not known, {unknown[0]}: {entry}.")
                yield path, entry
