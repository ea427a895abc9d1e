// SPDX-License-Identifier: MIT
// For host tests: an address space of single pages that says exactly which of them a program may touch, and a
// process that throws where the real one would end. The user copy of these tests (program_fakes_test.cpp)
// acts on the space that was made last.
#pragma once

#include "kernel/program/address_space.hpp"
#include "kernel/program/line_output.hpp"
#include "kernel/program/process_control.hpp"

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::kernel::testing {

class FakeSpace final : public AddressSpace {
public:
    FakeSpace() { current = this; }
    FakeSpace(const FakeSpace&) = delete;
    ~FakeSpace() { current = nullptr; }

    Result<UserAddress> map(UserAddress start, std::size_t bytes, Protection protection,
                            Replace replace) override;
    Result<void> unmap(UserAddress start, std::size_t bytes) override;
    Result<void> protect(UserAddress start, std::size_t bytes, Protection protection) override;
    Result<void> discard(UserAddress start, std::size_t bytes) override;
    bool covers(UserAddress start, std::size_t bytes) override;
    Result<void> store(UserAddress to, const void* from, std::size_t bytes) override;

    // Loads as the program would: only where the protection allows it.
    Result<void> load_checked(void* to, UserAddress from, std::size_t bytes) const;
    Result<void> store_checked(UserAddress to, const void* from, std::size_t bytes);

    // Makes a fresh read-write copy of something, for a call's arguments.
    template <class T>
    long put(const T& value)
    {
        const UserAddress place = *map({0}, sizeof value, Protection::read_write, Replace::no);
        (void)store(place, &value, sizeof value);
        return static_cast<long>(place.value);
    }
    long put_text(const std::string& text);
    long room(std::size_t bytes);
    template <class T>
    T get(std::uintptr_t from) const
    {
        T value{};
        (void)load_checked(&value, {from}, sizeof value);
        return value;
    }
    std::string get_text(std::uintptr_t from) const;
    std::string get_bytes(std::uintptr_t from, std::size_t bytes) const;
    // Protection of the page at an address; none also where there is no page.
    Protection protection_at(std::uintptr_t address) const;
    bool mapped(std::uintptr_t address) const { return pages_.contains(address / page_bytes); }

    std::size_t page_limit = 1 << 20; // map fails with no_memory beyond
    static inline FakeSpace* current = nullptr;

private:
    struct Page {
        Protection protection;
        std::array<std::byte, page_bytes> bytes{};
    };
    bool free(std::uintptr_t page, std::size_t count) const;

    std::map<std::uintptr_t, Page> pages_; // by page number
    std::uintptr_t next_ = 0x2000'0000'0;  // page number where map() looks
};

struct Exited {
    int status;
};
struct ThreadExited {
    int status;
};
struct Failed {
    std::string sentence;
};

class FakeControl final : public ProcessControl {
public:
    [[noreturn]] void exit(int status) override { throw Exited{status}; }
    [[noreturn]] void exit_thread(int status) override { throw ThreadExited{status}; }
    [[noreturn]] void fail(std::string_view sentence) override { throw Failed{std::string(sentence)}; }
    void set_thread_pointer(std::uintptr_t value) override { own_thread_pointer = value; }
    std::uintptr_t thread_pointer() override { return own_thread_pointer; }
    std::uint64_t nanoseconds() override { return now; }
    Result<void> sleep_until(std::uint64_t nanoseconds) override
    {
        if (interruption != 0 && interruption < nanoseconds) {
            now = interruption;
            return std::unexpected(Error::interrupted);
        }
        now = nanoseconds > now ? nanoseconds : now;
        return {};
    }
    void yield() override { ++yields; }
    Result<void> preemption_point() override
    {
        if (++points == kill_at)
            return std::unexpected(Error::killed);
        return {};
    }
    int process_id() override { return 7; }
    int thread_id() override { return 7; }
    Result<int> start_thread(const ThreadStart& start) override
    {
        if (thread_error)
            return std::unexpected(*thread_error);
        threads.push_back(start);
        return 7 + static_cast<int>(threads.size()) * 1000;
    }
    void set_word_at_end(UserAddress word) override { word_at_end = word; }
    // There is nobody to wake it: it sleeps until the time comes.
    WordWait wait_on_word(UserAddress word, std::uint32_t expected,
                          std::optional<std::uint64_t> until) override;
    unsigned wake_word(UserAddress, unsigned count) override
    {
        woken += count;
        return 0;
    }
    unsigned processors() override { return processor_count; }
    std::uint64_t own_processors() override
    {
        return bound_to & (~std::uint64_t{0} >> (64 - processor_count));
    }
    Result<void> run_on(std::uint64_t wanted) override
    {
        if ((wanted & (~std::uint64_t{0} >> (64 - processor_count))) == 0)
            return std::unexpected(Error::not_found);
        bound_to = wanted;
        return {};
    }
    Result<void> enter_program() override
    {
        if (inside++ != 0)
            throw Failed{"a call was made inside another"};
        return {};
    }
    void leave_program() override { --inside; }
    void tell_refused(std::string_view sentence) override { refused.emplace_back(sentence); }
    void note_unknown_call(long number) override { unknown.push_back(number); }

    std::uintptr_t own_thread_pointer = 0;
    std::uint64_t now = 1'500'000'000;
    std::uint64_t interruption = 0; // when a message handler is due; 0: none is
    int yields = 0;
    int points = 0, kill_at = -1;
    std::vector<long> unknown;
    std::vector<std::string> refused;
    std::vector<ThreadStart> threads;
    std::optional<Error> thread_error; // that making a thread ends in
    UserAddress word_at_end;
    unsigned woken = 0, processor_count = 3;
    std::uint64_t bound_to = ~std::uint64_t{0};
    int inside = 0;
};

class FakeSink final : public OutputSink {
public:
    void write(std::string_view lines) override { writes.emplace_back(lines); }
    std::string all() const
    {
        std::string text;
        for (const std::string& write : writes)
            text += write;
        return text;
    }

    std::vector<std::string> writes;
};

} // namespace parley::kernel::testing
