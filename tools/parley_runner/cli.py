# SPDX-License-Identifier: MIT
"""The command line: tools/parley COMMAND [KEY=VALUE | --key VALUE | --key=VALUE]..."""

import codecs
import os
import signal
import sys

from . import ending, key_help, keys, places
from .status import BadRequest, Status, sentence_of

USAGE = """tools/parley COMMAND [KEY=VALUE | --key VALUE]...

  run              boot the designs, print one table          tools/parley run DESIGN="exp1 exp6" NODES=4
  debug [-- ARGS]  boot stopped, with gdb (ARGS go to gdb)    tools/parley debug APP=ring
  iso              make build/parley.iso                      tools/parley iso APP=ring
  keys             every word of a run, and how it can end    tools/parley keys
  designs          rows, classes and promises                 tools/parley designs [list|resolve ...]
  loops            run, and tell where loops' time went       tools/parley loops APP=./program NODES=1
  trace FILE       draw and tell what TRACE=FILE.trace kept   tools/parley trace --help
  record show F... print records                              tools/parley record show a.json b.json
  report F...      a page with pictures, OUT=folder           tools/parley report a.json b.json
  sweep FILE       many boots from a TOML file, OUT=folder    tools/parley sweep configs/sweep.toml OUT=sweep
  reproduce FILE   run a record again and compare, OUT=file   tools/parley reproduce a.json
  tune APP=...     the best design for a program, OUT=folder  tools/parley tune APP=fft NODES=4
  compare-runs A B what changed beyond the noise [--json]     tools/parley compare-runs a.json b.json
  completion bash  what a shell needs to complete words       eval "$(tools/parley completion bash)"
  --version        this version, and that of its records      tools/parley --version
"""


COMMANDS = (
    *("run", "debug", "iso", "keys", "designs", "loops", "trace", "record", "report", "compare-runs"),
    *("sweep", "reproduce", "tune", "completion"),
)


def usage() -> str:
    return "\n".join([USAGE, "Keys:", *key_help.lines(), "", *key_help.statuses("It")])


def key_list(words: list[str]) -> int:
    """What `make` shows below its commands; --markdown: the table of docs/running.md."""
    if words not in ([], ["--markdown"]):
        raise BadRequest(f"tools/parley keys takes --markdown or nothing, not '{words[0]}'.")
    if words:
        print(key_help.markdown(), end="")
        return Status.SUCCESS
    ends = key_help.statuses("`tools/parley run'")
    print("\n".join([*key_help.lines(), "", *ends, "`make run' shows 2 for any of these but 0."]))
    return Status.SUCCESS


def complain(sentence: str) -> None:
    from .screen import shown

    print(f"parley: {shown(sentence) if sys.stderr.isatty() else sentence}", file=sys.stderr)


def dispatch(command: str, arguments: list[str]) -> int:
    if command == "run":
        from . import run

        return run.run(keys.words_of(arguments))
    if command == "record":
        from . import run

        return run.show(arguments)
    if command == "loops":
        from . import loops_command

        return loops_command.command(keys.words_of(arguments))
    if command == "trace":
        from . import trace_command

        return trace_command.command(arguments)
    if command == "keys":
        return key_list(arguments)
    if command == "iso":
        from . import iso

        return iso.command(keys.words_of(arguments))
    if command == "debug":
        from . import debug

        return debug.command(arguments)
    if command == "sweep":
        from . import sweep

        return sweep.command(arguments)
    if command == "reproduce":
        from parley_report import reproduce

        return reproduce.command(arguments)
    if command == "tune":
        from parley_tune import tune

        return tune.command(arguments)
    if command == "report":
        from parley_report import report

        return report.command(arguments)
    if command == "compare-runs":
        from parley_report import compare

        return compare.command(arguments)
    if command == "completion":
        from . import completion

        print(completion.script("".join(arguments) or "bash"), end="")
        return Status.SUCCESS
    if command == "complete":  # the shell's own
        from . import completion

        print("\n".join(completion.answers(COMMANDS, arguments)))
        return Status.SUCCESS
    if command == "designs":
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as it was before Python ignored it
        os.execv(os.path.join(places.BUILD, "designs"), ["designs", *(arguments or ["list"])])
    raise BadRequest(f"There is no command '{command}'." + keys.nearest(command, COMMANDS))


def any_text(problem: UnicodeError):
    """Bytes that came in go out again as they were; what the output's encoding lacks is written as an
    escape."""
    try:
        return codecs.lookup_error("surrogateescape")(problem)
    except UnicodeError:
        return codecs.lookup_error("backslashreplace")(problem)


def main() -> int:
    return guarded(lambda: answer(sys.argv[1:]))


def answer(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("help", "-h", "--help") or (
        arguments[-1] == "--help" and arguments[0] != "trace"
    ):
        print(usage())
        return Status.SUCCESS if arguments else Status.BAD_REQUEST
    if arguments[0] in ("version", "--version"):
        print(version())
        return Status.SUCCESS
    return dispatch(arguments[0], arguments[1:])


def version() -> str:
    from . import record

    return f"Parley {places.version()}; records: {record.FORMAT}, schema {record.SCHEMA}"


def guarded(command) -> int:
    """Runs it and gives its exit status; whatever goes wrong is one sentence."""

    def with_any_text() -> int:
        codecs.register_error("parley", any_text)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(errors="parley")
        return command()

    try:
        return ending.of(with_any_text)
    except (BadRequest, OSError) as problem:
        complain(sentence_of(problem))
        return Status.BAD_REQUEST
    except KeyboardInterrupt:
        print("parley: interrupted", file=sys.stderr)
        return Status.INTERRUPTED
