// SPDX-License-Identifier: MIT
// A thread of a process's programs beside their first, which is the process itself. It lives in the process's
// domain, has neither endpoint nor proxies, and ends in end(), as often as it is used (program_threads.hpp).
#pragma once

#include "kernel/process/user_process.hpp"

namespace parley::kernel {

class UserThread final : public UserProcess {
public:
    // The programs of `first` have not had one of that number, from 1 on.
    UserThread(UserProcess& first, unsigned number) : UserProcess(first, number) { }

    // It is to begin behind the call that its maker, a thread of the same program, is in. The caller starts
    // it afterwards.
    void begin(const UserProcess& maker, const ThreadStart& start);

    // As a process does it. Its program ends with exit() and fail(), and with it the process and all threads.
    [[noreturn]] void exit(int status) override;
    [[noreturn]] void exit_thread(int status) override;
    [[noreturn]] void end_killed(std::uint64_t instruction = 0) override;
    void note_refused_call() override;
    void write_thread(TextWriter& line) const override;

private:
    [[noreturn]] void end_failed(int status, std::string_view sentence) override;
    void have_threads() override { } // its program has some
    static void run(void* self);
    [[noreturn]] void end_program(ProgramThreads::Verdict verdict, std::string_view reason);
    [[noreturn]] void end();

    arch::CallFrame begins_behind_{};
};

} // namespace parley::kernel
