# SPDX-License-Identifier: MIT
"""LIMIT: seconds of guest time that a job may take, from its own first instruction."""

import unittest

from boot_case import BootCase, needs

ENDLESS = "int main(void) { for (;;) { } }\n"
SLEEPER = "#include <unistd.h>\nint main(void) { return sleep(3); }\n"
SHORT = "int main(void) { return 0; }\n"


class Limits(BootCase):
    def two_jobs(self, *words: str):
        """One that never ends and may take three seconds, then a short one that may take one."""
        jobs = [("endless", self.compile("nxcc", "endless.c", ENDLESS), 3)]
        jobs.append(("short", self.compile("nxcc", "short.c", SHORT), 1))
        tables = [
            f'[[job]]\nname = "{name}"\napp = "{app}"\nnodes = 2\nlimit = {limit}\n'
            for name, app, limit in jobs
        ]
        config = self.write("jobs.toml", "\n".join(tables))
        boot = self.boot(f"CONFIG={config}", *words, limit=None)
        self.assertEqual(boot.status, 6, boot.text[-3000:])
        self.assertIn("Job endless did not finish within its limit", boot.text)
        return {job["name"]: job["status"] for job in boot.record["jobs"]}

    def test_a_job_has_its_whole_limit_after_one_that_used_up_its_own(self):
        self.assertEqual(self.two_jobs(), {"endless": "limit", "short": "ok"})

    def test_what_a_job_waits_for_processors_is_not_taken_from_its_limit(self):
        statuses = self.two_jobs("JOBS=together", "PROCESSORS=2", "GANG=private")
        self.assertEqual(statuses, {"endless": "limit", "short": "ok"})

    @needs("traced")
    def test_a_job_that_has_ended_waits_for_no_other_and_has_no_limit_any_more(self):
        sleeper = self.compile("nxcc", "sleeper.c", SLEEPER)
        short = self.compile("nxcc", "short.c", SHORT)
        jobs = [("long", sleeper, 60), ("short", short, 1)]
        tables = [
            f'[[job]]\nname = "{name}"\napp = "{app}"\nnodes = 1\nlimit = {limit}\n'
            for name, app, limit in jobs
        ]
        config = self.write("jobs.toml", "".join(tables))
        words = ("JOBS=together", "PROCESSORS=2", "PROFILE=1")
        boot = self.boot(f"CONFIG={config}", *words, limit=None)
        self.assertEqual(
            {job["name"]: job["status"] for job in boot.record["jobs"]},
            {"long": "ok", "short": "ok"},
            boot.text,
        )
        # The times of a job's nodes come when it is taken out.
        self.assertEqual([time["job"] for time in boot.record["times"]], [1, 0])


if __name__ == "__main__":
    unittest.main()
