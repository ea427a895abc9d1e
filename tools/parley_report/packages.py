# SPDX-License-Identifier: MIT
"""Libraries that only reports need: a missing one is said in one sentence that names the command."""

import importlib

from parley_runner.status import BadRequest

# module -> Debian's package
PACKAGES = {"matplotlib": "python3-matplotlib", "scipy": "python3-scipy", "jinja2": "python3-jinja2"}


def need(*modules: str) -> None:
    """BadRequest when one of them cannot be imported."""
    missing = []
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError:
            missing.append(PACKAGES[module])
    if missing:
        raise BadRequest(
            f"This needs {' and '.join(missing)}; install with: sudo apt-get install --no-install-recommends "
            f"{' '.join(missing)}"
        )
