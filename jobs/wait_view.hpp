// SPDX-License-Identifier: MIT
// What a job's processes wait for, as a watcher sees it: whether none can ever go on, which two looks
// show, and the sentences that say which process waits for what. Nothing is locked, and records and
// messages may lie where programs can write.
#pragma once

#include "base/text.hpp"
#include "messaging/message/message.hpp"
#include "messaging/wait_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::jobs {

// What a process does at one moment.
struct Seen {
    bool waits;          // it goes on only when another process has done something
    bool for_others;     // it has something to do then; a job in which no process has is idle, not stuck
    std::uint32_t epoch; // of its wait; it only grows

    static constexpr Seen going_on() { return {false, false, 0}; }
    // There is no process here that could do anything; one that ends it or loads another is seen by itself.
    static constexpr Seen away() { return {true, false, 0}; }
    // It waits for programs to end, or in P.
    static constexpr Seen waiting(std::uint32_t epoch) { return {true, true, epoch}; }
    // Reads a live process's record: whether the process waits for an event that has not been signalled
    // since it looked.
    static Seen by(const messaging::WaitRecord& record);
};

// One look at all processes of a job, one after another.
class Look {
public:
    void add(const Seen& seen)
    {
        all_wait_ = all_wait_ && seen.waits;
        for_others_ = for_others_ || seen.for_others;
        epochs_ = (epochs_ ^ seen.epoch) * prime;
    }

    bool all_wait() const { return all_wait_; }
    // Some process waits for others. If none does, nothing is wrong even if all wait.
    bool somebody_waits() const { return for_others_; }
    // A hash, which is the same at two looks if no process has gone on between them.
    std::uint64_t epochs() const { return epochs_; }

    bool operator==(const Look&) const = default;

private:
    static constexpr std::uint64_t prime = 0x100000001b3; // of FNV-1a, by words

    bool all_wait_ = true;
    bool for_others_ = false;
    std::uint64_t epochs_ = 0xcbf29ce484222325;
};

// One look could see A waiting, then B; between the two B may have signalled A. But the numbers of signals
// and waits only grow: if a second look finds every epoch unchanged, all waited, and none had been
// signalled, at the moment between the looks. Only they could signal each other, so they wait for ever.
class TwoLooks {
public:
    // True: this look and the one before it show that nobody can go on.
    bool nobody_can_go_on(const Look& now)
    {
        const bool same = now.all_wait() && now.somebody_waits() && last_ == now;
        last_ = now;
        return same;
    }

private:
    std::optional<Look> last_;
};

// Whether what a process waits for, according to its record, is some of the job's message budget.
bool waits_for_budget(const messaging::WaitRecord& record);

// The system whose jobs are looked at. It gives access to their memory, and takes the lines that are written
// of them.
class ViewedSystem {
public:
    // The memory at an address that the message system has written; null: it cannot be read safely, or is
    // not the job's.
    virtual const void* view(const void* address, std::size_t bytes, std::size_t alignment) = 0;
    // Takes whole lines.
    virtual void tell(std::string_view lines) = 0;

protected:
    ~ViewedSystem() = default;
};

// A report of waits. The caller has written the beginning of each line, which names the process.
class WaitReport {
public:
    explicit WaitReport(ViewedSystem& system) : system_(system) { }

    // The process waits according to its record. `milliseconds`: for how long, if that is known.
    void tell_wait(TextWriter& line, const messaging::WaitRecord& record,
                   std::optional<std::uint64_t> milliseconds = {});
    // The messages that have come to it, and why none of them ends its wait. The job must be one in which
    // no process goes on.
    void tell_unmatched(const messaging::WaitRecord& record);
    // The process waits for programs to end.
    void tell_wait_for_ends(TextWriter& line, const messaging::WaitRecord& record);
    // The process waits in P of the semaphore with that number.
    void tell_wait_in_p(TextWriter& line, unsigned semaphore);
    // Call this after all others: it says what to do about the budget if a process waits for it. `option`
    // names the option that gives more.
    void tell_budget(std::string_view option);

private:
    template <class Object>
    const Object* find(const Object* object)
    {
        return static_cast<const Object*>(system_.view(object, sizeof(Object), alignof(Object)));
    }
    bool tell_list(const messaging::MessageList* at, const messaging::WaitRecord& record, unsigned& left);
    void end_line(TextWriter& line, const messaging::WaitRecord& record);

    ViewedSystem& system_;
    bool budget_is_short_ = false;
};

} // namespace parley::jobs
