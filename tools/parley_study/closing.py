# SPDX-License-Identifier: MIT
"""How a study's command ends: in a sentence when it is interrupted, or finds no room or no right to write,
and says nothing better of it itself."""

import os
import sys

from parley_runner import ending
from parley_runner.status import BadRequest, Status


def of(main) -> int:
    """The exit status of a command, whose `main` answers it."""

    def told() -> int:
        name = os.path.basename(sys.argv[0])
        try:
            return main()
        except BadRequest as problem:
            print(f"{name}: {problem}", file=sys.stderr)
            return Status.BAD_REQUEST
        except KeyboardInterrupt:
            print(f"{name}: interrupted.", file=sys.stderr)
            return Status.INTERRUPTED

    return ending.of(told)
