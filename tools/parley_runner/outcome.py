# SPDX-License-Identifier: MIT
"""The verdict over one boot. Success needs the whole story: exit status, plan first, end last, and counts
that agree."""

import signal

from . import back_end, frames, model
from .counted import counted
from .status import Status
from .watch import Seen

NOT_STARTED = 127
EXIT_SUCCESS, EXIT_FAILED, EXIT_PANIC = 0x21, 0x23, 0x25  # 2 * enum parley_exit + 1


def of_kind(seen: Seen, kind: int) -> list[frames.Frame]:
    return [frame for frame in seen.frames if frame.kind == kind]


def judge(seen: Seen) -> tuple[Status, str]:
    """The status and one sentence about it."""
    panics = of_kind(seen, frames.PANIC)
    if seen.ended_by == "interrupt":
        return Status.INTERRUPTED, "Interrupted; the emulator has been ended."
    if panics or seen.returncode == EXIT_PANIC:
        text = panics[0].text() if panics else "the console says why"
        return Status.PANIC, f"The kernel panicked: {text.strip()}"
    if seen.ended_by == "hang":
        return Status.HANG, hang_sentence(seen)
    if seen.ended_by == "unending":
        return (
            Status.HANG,
            f"The machine hung: {seen.overdue_ns / 1e9:.0f} s after a job was told to end it still runs, so "
            "a processor is lost in the kernel; it was ended.",
        )
    if seen.ended_by == "time-out":
        return (
            Status.TIME_OUT,
            "The machine went on long after the limits of its jobs, and was ended after "
            f"{seen.guest_ns / 1e9:.0f} s of guest time.",
        )
    if seen.ended_by == "late":
        return (
            Status.TIME_OUT,
            "The machine still ran long after the first one had ended, so the runner ended it.",
        )
    if seen.returncode == 0:
        return Status.TRIPLE_FAULT, "The machine reset itself: a triple fault."
    if seen.returncode in (model.BAD_MACHINE, back_end.NO_FAST, model.BAD_EMULATOR):
        said = seen.errors.decode("utf-8", "replace").strip().rpartition(model.SAID)[2]
        said = said or "The model refused the machine."
        if seen.returncode == model.BAD_MACHINE:
            return Status.BAD_REQUEST, f"MACHINE={seen.machine}: {said}"
        return Status.EMULATOR, said
    if seen.returncode not in (EXIT_SUCCESS, EXIT_FAILED):
        return Status.EMULATOR, emulator_sentence(seen)
    return judge_results(seen)


def hang_sentence(seen: Seen) -> str:
    more = f" {seen.may_hang_by}" if seen.may_hang_by else ""
    if seen.start is None:
        silence = f"it gave no sign of life in {seen.silence:.0f} s of run"
        return f"The machine hung: {silence}, and was ended.{more}"
    return (
        f"The machine hung: it gave no heartbeat for {seen.silence:.0f} s of run (its first came after "
        f"{seen.start:.2g} s), and was ended.{more}"
    )


def emulator_sentence(seen: Seen) -> str:
    detail = seen.errors.decode("utf-8", "replace").strip()
    if seen.returncode == NOT_STARTED:
        return f"The emulator could not be started: {detail}."
    how = f"with status {seen.returncode}"
    if seen.returncode is not None and seen.returncode < 0:
        how = f"by signal {signal.Signals(-seen.returncode).name}"
    return f"The emulator ended {how}{': ' + detail if detail else '.'}"


def judge_results(seen: Seen) -> tuple[Status, str]:
    if seen.damage:
        return Status.DAMAGED, f"The results are damaged: {seen.damage}."
    plans, ends = of_kind(seen, frames.PLAN), of_kind(seen, frames.END)
    if not plans or not ends:
        lacking = "plan" if not plans else "end"
        return Status.NO_RESULT, f"The machine ended without a result: its {lacking} record is missing."
    contradiction = contradictions(seen, plans, ends)
    if contradiction:
        return Status.DAMAGED, f"The results contradict themselves: {contradiction}."
    if not of_kind(seen, frames.JOB_END):
        return Status.NO_RESULT, "The machine ended without a result: no job ran."
    return judge_jobs(seen)


def contradictions(seen: Seen, plans: list, ends: list) -> str:
    jobs, finished = of_kind(seen, frames.JOB), of_kind(seen, frames.JOB_END)
    failed = [frame for frame in finished if frame.fields().get("status") != "ok"]
    end = ends[-1].fields()
    counts = (("jobs", len(finished)), ("failed", len(failed)), ("rows", len(of_kind(seen, frames.ROW))))
    if len(plans) != 1 or len(ends) != 1 or seen.frames[0] is not plans[0] or seen.frames[-1] is not ends[0]:
        return "plan and end must come once, first and last"
    if len(jobs) != len(finished) or plans[0].fields().get("jobs", str(len(jobs))) != str(len(jobs)):
        return (
            f"of {plans[0].fields().get('jobs')} planned jobs {len(jobs)} started and {len(finished)} ended"
        )
    for name, counted in counts:
        if name in end and end[name] != str(counted):
            return f"the end speaks of {end[name]} {name}, {counted} arrived"
    if bool(failed) != (seen.returncode == EXIT_FAILED):
        return f"exit status and jobs disagree ({len(failed)} failed)"
    return ""


def judge_jobs(seen: Seen) -> tuple[Status, str]:
    over_limit = ""
    jobs = {frame.fields().get("job"): frame.fields() for frame in of_kind(seen, frames.JOB)}
    for frame in of_kind(seen, frames.JOB_END):
        fields = frame.fields()
        number = fields.get("job")
        job = jobs.get(number, {}).get("name") or number
        status = fields.get("status", "unknown")
        if status == "limit":
            over_limit = f"Job {job} did not finish within its limit."
        elif status != "ok":
            return Status.FAILED, f"Job {job} {failure(seen, jobs.get(number, {}), fields)}."
        for kind in ("frames_leaked", "objects_leaked"):
            if fields.get(kind, "0") != "0":
                return Status.FAILED, f"Job {job} left {fields[kind]} behind ({kind})."
    if over_limit:
        return Status.TIME_OUT, over_limit
    return Status.SUCCESS, "Finished."


def failure(seen: Seen, job: dict, end: dict) -> str:
    """What a job did that did not end well, by what its processes said."""
    status, reason = end.get("status", "unknown"), end.get("reason", "")
    if status == "refused":
        return f"was refused: {reason or 'the console says why'}"
    if status == "deadlock":
        return "deadlocked: every process waits, so none can ever go on; the console says for what"
    ended = [frame.fields() for frame in of_kind(seen, frames.PROCESS)]
    badly = [process for process in ended if process.get("job") == end.get("job") and ended_badly(process)]
    if not badly:
        return f"failed: {reason}" if reason else f"ended with: {status}"
    others = len(badly) - 1
    more = f" (and {counted(others, 'other process', 'other processes')} failed)" if others else ""
    return f"failed: {end_of(badly[0], job)}{more}"


def ended_badly(process: dict) -> bool:
    """By itself: what only ended with its job is no cause."""
    return process.get("status", "0") != "0" and process.get("reason") != "ended with its job"


def end_of(process: dict, job: dict) -> str:
    """'node 2 exited with status 3', 'the host tried to ...': how a process ended."""
    reason = process.get("reason", "").strip()
    did = reason or f"exited with status {process.get('status')}"
    return f"{name_of(process, job)} {did}"


def name_of(process: dict, job: dict) -> str:
    node, pid = process.get("node", "?"), process.get("pid", "0")
    if job.get("host") == "1" and node == job.get("nodes"):
        return "the host"
    return f"node {node}" + (f", process {pid}" if pid != "0" else "")
