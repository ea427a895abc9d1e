# SPDX-License-Identifier: MIT
"""Measurements on their way from the commands of `make paper` to its pictures (figures.py), which need
libraries that these commands do without."""

import json
import os

from parley_runner import places


def keep(folder: str, name: str, data: dict) -> None:
    """Writes measurements where make() finds them; no folder: they are not wanted."""
    if folder:
        places.make_folder(folder)
        path = os.path.join(folder, f"{name}.json")
        places.write_atomically(path, (json.dumps(data, indent=1) + "\n").encode())


def plain(measured: dict) -> list[dict]:
    """(nodes, design) -> (name, bytes) -> value, as JSON can hold it."""
    return [
        {"nodes": nodes, "design": design, "rows": [[*key, value] for key, value in rows.items()]}
        for (nodes, design), rows in measured.items()
    ]
