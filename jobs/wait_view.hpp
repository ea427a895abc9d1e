// SPDX-License-Identifier: MIT
// What a job's processes wait for, as somebody sees it who watches them: whether none can ever go on, by two
// looks, and the sentences that say who waits for what. Nothing is locked, and records and messages may lie
// where programs can write.
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
    bool waits;          // it does not go on before another has done something
    bool for_others;     // and it has something to do then; a job in which nobody has is at rest, not stuck
    std::uint32_t epoch; // of its wait: it only counts upwards

    static constexpr Seen going_on() { return {false, false, 0}; }
    // There is nobody who could do anything: whoever ends it, or loads another, is one of the others.
    static constexpr Seen away() { return {true, false, 0}; }
    // It waits for programs to end, or in P.
    static constexpr Seen waiting(std::uint32_t epoch) { return {true, true, epoch}; }
    // Reads a live process's record: whether it waits for an event that has not been signalled since it
    // looked.
    static Seen by(const messaging::WaitRecord& record);
};

// All processes of a job, seen one after the other.
class Look {
public:
    void add(const Seen& seen)
    {
        all_wait_ = all_wait_ && seen.waits;
        for_others_ = for_others_ || seen.for_others;
        epochs_ = (epochs_ ^ seen.epoch) * prime;
    }

    bool all_wait() const { return all_wait_; }
    // Somebody waits for others; without that nothing is wrong, even where all wait.
    bool somebody_waits() const { return for_others_; }
    // A hash: the same at two looks, if nobody has gone on between them.
    std::uint64_t epochs() const { return epochs_; }

    bool operator==(const Look&) const = default;

private:
    static constexpr std::uint64_t prime = 0x100000001b3; // of FNV-1a, by words

    bool all_wait_ = true;
    bool for_others_ = false;
    std::uint64_t epochs_ = 0xcbf29ce484222325;
};

// One look could see A waiting, then B; between the two B may have signalled A. But signals and waits only
// count upwards: when a second look finds every epoch unchanged, all waited, unsignalled, at the moment
// between the looks. Only they could signal each other, so they wait for ever.
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

// The system whose jobs are watched: it shows their memory, and is told what a look finds.
class Watched {
public:
    // What lies at an address that the message system keeps, or null: nothing of the job's that can be read
    // safely.
    virtual const void* view(const void* address, std::size_t bytes, std::size_t alignment) = 0;
    // Whole lines.
    virtual void tell(std::string_view lines) = 0;

protected:
    ~Watched() = default;
};

// A report of waits. Each line begins with whose it is, which the caller has written.
class WaitReport {
public:
    explicit WaitReport(Watched& watched) : watched_(watched) { }

    // It waits by its record; `milliseconds`: for so long, where that is known.
    void tell_wait(TextWriter& line, const messaging::WaitRecord& record,
                   std::optional<std::uint64_t> milliseconds = {});
    // The messages that have come to it, and why none of them ends its wait. Only of jobs in which nothing
    // moves any more.
    void tell_unmatched(const messaging::WaitRecord& record);
    // It waits for programs to end.
    void tell_wait_for_ends(TextWriter& line, const messaging::WaitRecord& record);
    // After all others: what to do about the budget, if somebody waits for it. `option`: what gives more.
    void tell_budget(std::string_view option);

private:
    template <class Object>
    const Object* find(const Object* object)
    {
        return static_cast<const Object*>(watched_.view(object, sizeof(Object), alignof(Object)));
    }
    void end_line(TextWriter& line, const messaging::WaitRecord& record);

    Watched& watched_;
    bool budget_is_short_ = false;
};

} // namespace parley::jobs
