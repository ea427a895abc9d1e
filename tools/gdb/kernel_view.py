# SPDX-License-Identifier: MIT
"""The kernel's objects as gdb sees them, by their own types: jobs, processes, wait records, queues."""

from dataclasses import dataclass

import gdb

DIRECT_MAP = 0xFFFF800000000000  # arch/x86_64/memory_map.hpp
SHARED_BASE = 0x310000000000  # interface/start_info.h
SENDER_NODE, NODE_BITS = 0x7FF, 11  # interface/senders.h
CONTEXT_LIBRARY, CONTEXT_ACTIVE = 1, 2  # interface/library_messages.h
PAGE, PAGES_A_LEAF = 4096, 512
MOST_MESSAGES = 64


def type_of(name: str) -> gdb.Type:
    return gdb.lookup_type(f"parley::{name}")


def plain(value: gdb.Value):
    """The value inside a std::atomic."""
    while True:
        names = [field.name for field in value.type.strip_typedefs().fields() if field.name]
        inner = next((name for name in ("_M_b", "_M_base", "_M_i", "_M_p") if name in names), None)
        if inner is None:
            inner = next(f for f in value.type.strip_typedefs().fields() if f.is_base_class)
        value = value[inner]
        if value.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT:
            return value


def text(view: gdb.Value) -> str:
    """A std::string_view."""
    length, start = int(view["_M_len"]), view["_M_str"]
    return start.string("ascii", "replace", length) if length and int(start) else ""


def library_call(number: int) -> str:
    """For whom the library's own messages of this type are sent: interface/library_messages.h."""
    prefix = "parley_library_call_"
    names = {field.enumval: field.name for field in gdb.lookup_type("parley_library_call").fields()}
    return names.get(number, prefix + "the NX library").removeprefix(prefix)


def kernel() -> gdb.Value:
    memory = gdb.parse_and_eval("&'parley::kernel::kernel_memory'")
    return memory.cast(type_of("kernel::Kernel").pointer()).dereference()


def jobs():
    running = kernel()["jobs"]["slots_"]
    low, high = running.type.range()
    for i in range(low, high + 1):
        job = plain(running[i])
        if int(job) != 0:
            yield Job(job.dereference())


@dataclass
class Message:
    type: int
    length: int
    node: int


class Job:
    def __init__(self, value: gdb.Value):
        self.value = value
        self.waits = value["waits_"]
        self.number = int(value["number_"])
        configuration = value["configuration_"]
        if configuration.type.code == gdb.TYPE_CODE_REF:
            configuration = configuration.referenced_value()
        self.name, self.design = text(configuration["name"]), text(configuration["design"])

    def processes(self):
        processes = self.value["processes_"]["list_"]
        for i in range(int(processes["_M_extent"]["_M_extent_value"])):
            yield Process(self, processes["_M_ptr"][i].dereference())

    def shared(self, address: int) -> int:
        """Where the kernel sees an address of the shared region; 0 when nothing is there."""
        region, offset = self.value["memory_"]["region_"].dereference(), address - SHARED_BASE
        if not 0 <= offset < int(region["bytes_"]):
            return 0
        page = offset // PAGE
        leaf = region["leaves_"][page // PAGES_A_LEAF]
        frame = int(leaf[page % PAGES_A_LEAF]["value"]) if int(leaf) else 0
        return DIRECT_MAP + frame + offset % PAGE if frame else 0

    def see(self, address: int) -> int:
        """Any address of the message system's, in the kernel or in the shared region."""
        return address if address >= DIRECT_MAP or address == 0 else self.shared(address)

    def record(self, endpoint: int) -> gdb.Value | None:
        bytes_each = type_of("messaging::WaitRecord").sizeof
        address = self.see(int(self.waits["records_"]) + endpoint * bytes_each)
        return at(address, "messaging::WaitRecord")

    def pid_of(self, endpoint: int) -> int:
        entries = self.waits["roster_"].dereference()["entries_"]
        return int(plain(entries["_M_ptr"][endpoint]["pid"]))


def at(address: int, name: str) -> gdb.Value | None:
    return gdb.Value(address).cast(type_of(name).pointer()).dereference() if address else None


class Process:
    def __init__(self, job: Job, value: gdb.Value):
        self.job, self.value = job, value
        self.node, self.endpoint = int(value["node_"]), int(value["endpoint_"])
        self.pid = job.pid_of(self.endpoint)
        self.carries = self.endpoint >= int(job.waits["programs_"]["_M_extent"]["_M_extent_value"])
        self.record = job.record(self.endpoint)
        self.processor = self.find_processor()

    def find_processor(self) -> int | None:
        """Whose dispatcher has it as its current process."""
        dispatchers = kernel()["processors"]["dispatchers_"]
        own = int(
            self.value.address.cast(type_of("sched::Process").pointer())
        )  # its base is not its first part
        low, high = dispatchers.type.range()
        for i in range(low, high + 1):
            if int(dispatchers[i]) and int(plain(dispatchers[i].dereference()["current_"])) == own:
                return i
        return None

    def waits(self) -> bool:
        return self.record is not None and int(plain(self.record["epoch"])) % 2 == 1

    def state(self) -> str:
        if plain(self.value["ended_"]):
            return "ended"
        if int(plain(self.value["waiting_in"])):
            return "blocked"
        if self.processor is None:
            return "ready, spins" if self.waits() else "ready"
        return "spinning" if self.waits() else "running"

    def waits_for(self) -> str:
        if not self.waits() or plain(self.value["ended_"]):
            return "-"
        reason = str(plain(self.record["reason"])).split("::")[-1]
        kind, length = int(plain(self.record["type"])), int(plain(self.record["length"]))
        peer = int(plain(self.record["peer"]))
        node = "any node" if peer & SENDER_NODE == SENDER_NODE else f"node {peer & SENDER_NODE}"
        if peer >> NODE_BITS == CONTEXT_ACTIVE:
            return "an Active Message"
        if peer >> NODE_BITS == CONTEXT_LIBRARY:
            return f"{library_call(kind)} ({node})"
        words = {
            "message": f"crecv(selector {kind}, from {node})",
            "block": f"crecvp(selector {kind}, from {node})",
            "probe": f"cprobe(selector {kind}, from {node})",
            "delivery": f"csend(type {kind}, {length} bytes, to {node}): delivery",
            "budget": f"csend(type {kind}, {length} bytes, to {node}): room",
            "request": f"msgwait({length}): irecv(selector {kind}, from {node})",
            "sent": f"msgwait({length}): isend(type {kind}, to {node})",
            "lent": "buffers it has lent",
            "delivery_process": "messages to deliver",
        }
        return words.get(reason, reason)

    def queue(self) -> list[Message]:
        """What has come and nobody has asked for, oldest first. The machine is stopped, perhaps in the
        middle of a change, so no more than a bounded number of links is followed."""
        messages: list[Message] = []
        unexpected = self.record["unexpected"] if self.record is not None else gdb.Value(0)
        found = at(self.job.see(int(unexpected)), "messaging::MessageList")
        link = int(found["first_"]) if found is not None else 0
        while link and len(messages) < MOST_MESSAGES:
            message = at(self.job.see(link), "messaging::Message")
            if message is None:
                break
            # As in messaging/message/envelope.hpp.
            contents, sender = int(message["contents_"]), int(message["sender_"])
            messages.append(Message(contents & 0xFFFFFFFF, contents >> 32, sender & SENDER_NODE))
            link = int(message["next"])
        return messages
