# SPDX-License-Identifier: MIT
"""How processes are called: by what the kernel said of its jobs."""

from dataclasses import dataclass


def shown(text) -> str:
    """Without control characters, which neither a page nor a picture may hold; programs choose names."""
    return "".join(
        part if part.isprintable() else part.encode("unicode_escape", "surrogatepass").decode()
        for part in str(text)
    )


@dataclass
class Names:
    jobs: list[dict]  # the record's

    def process(self, job: int, endpoint: int) -> str:
        fields = next((entry for entry in self.jobs if entry.get("job") == job - 1), {})
        nodes, pids = fields.get("nodes") or 0, fields.get("pids") or 1
        prefix = f"{fields.get('name')}: " if len(self.jobs) > 1 else ""
        known = fields.get("endpoints") or endpoint + 1  # to the message system; policy processes come after
        if endpoint >= known:
            return f"{prefix}policy process {endpoint - known + 1}"
        if nodes and endpoint >= nodes * pids:
            is_host = fields.get("host") and endpoint == nodes * pids
            return prefix + ("host" if is_host else "delivery")
        if not nodes:
            return f"{prefix}process {endpoint}"
        pid = f", pid {endpoint // nodes}" if pids > 1 else ""
        return f"{prefix}node {endpoint % nodes}{pid}"
