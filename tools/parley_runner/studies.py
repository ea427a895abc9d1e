# SPDX-License-Identifier: MIT
"""The studies, which are guests: each has a folder below studies/, with its own modules in a package of its
name below that folder's tools/. What it adds to the project's commands is a module that is looked for there
by its name: nothing else has to list it."""

import glob
import importlib
import os
import sys
from types import ModuleType

from . import places


def modules(name: str) -> list[ModuleType]:
    """Those of this name, of every study that has one, in the studies' order."""
    found = []
    for path in sorted(glob.glob(os.path.join(places.ROOT, "studies", "*", "tools", "*", f"{name}.py"))):
        package = os.path.dirname(path)
        if os.path.dirname(package) not in sys.path:
            sys.path.append(os.path.dirname(package))
        found.append(importlib.import_module(f"{os.path.basename(package)}.{name}"))
    return found
