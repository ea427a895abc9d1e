// SPDX-License-Identifier: MIT
#include "native/nxrun/helper_process.hpp"

#include "native/interface/library_port.h"

#include <csignal>
#include <cstddef>
#include <sys/mman.h>
#include <unistd.h>

namespace parley::native {

namespace {

const parley_native_departure* departure = nullptr;

// There is no program that it could return to: where it would sleep it goes on, and its waits give up.
void told_to_end(int, siginfo_t*, void* context) { departure->unwind(context, nullptr, 0); }

} // namespace

void listen_for_the_end(const parley_library& library, parley_native_place& place)
{
    departure = &parley_native_port_of(&library)->departure;
    struct sigaction action{};
    action.sa_sigaction = told_to_end;
    action.sa_flags = SA_SIGINFO;
    sigfillset(&action.sa_mask);
    sigaction(PARLEY_NATIVE_DEPART, &action, nullptr);
    __atomic_store_n(&place.listens, 1, __ATOMIC_SEQ_CST);
}

void (*first_instruction(const parley_library& library, const parley_start& start))()
{
    return start.endpoint < start.endpoints ? library.deliver
                                            : parley_native_port_of(&library)->semaphores->serve;
}

void enter_helper(void (*first)(), const parley_start& start)
{
    constexpr std::size_t stack_bytes = 1024 * 1024;
    void* const stack =
        mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) {
        constexpr char line[] = "nxrun: Linux gives no memory for a helper of the job: raise ulimit -d.\n";
        (void)!write(STDERR_FILENO, line, sizeof line - 1);
        _exit(1);
    }
    auto* const word =
        reinterpret_cast<const parley_start**>(static_cast<std::byte*>(stack) + stack_bytes - 64);
    *word = &start;
    asm volatile("movq %0, %%rsp\n\tjmp *%1" : : "r"(word), "r"(first) : "memory");
    __builtin_unreachable();
}

} // namespace parley::native
