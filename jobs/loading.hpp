// SPDX-License-Identifier: MIT
// The steps of a load, and of giving back what was made and never started, for any system that makes
// programs. A kill, or the end of any program, may come between any two of them.
#pragma once

#include "jobs/roster.hpp"

namespace parley::jobs {

// Gives back everything that this owner has to give back. The owner calls it after its load, its kill and
// its end. It calls `maker.take_back(endpoint)` without the roster's lock; nobody else changes the row of
// that endpoint meanwhile. Processes that wait for this may go on afterwards.
template <class Maker>
void give_back(Roster& roster, unsigned owner, Maker& maker)
{
    for (unsigned from = 0;;) {
        std::optional<unsigned> endpoint;
        {
            const LockGuard guard(roster.lock());
            endpoint = roster.next_returning(owner, from);
        }
        if (!endpoint)
            return;
        maker.take_back(*endpoint);
        const LockGuard guard(roster.lock());
        roster.returned(*endpoint);
        from = *endpoint + 1;
    }
}

// Makes all programs of the plan, and then lets messages come to them. Errors: those of make() and open().
template <class Maker>
Result<void> make_all(const Roster::Plan& plan, Maker& maker)
{
    for (unsigned i = 0; i < plan.count; ++i)
        TRY_VOID(maker.make(plan.first + i));
    for (unsigned i = 0; i < plan.count; ++i)
        TRY_VOID(maker.open(plan.first + i));
    return {};
}

// Loads programs where the loader wants them, and answers the endpoint of the first. maker.make(endpoint)
// makes one; when all are made, maker.open(endpoint) gives it its pid and lets messages come to it. After an
// error no program is loaded, and all that were made are taken back. Errors: those of Roster::load(), make()
// and open().
template <class Maker>
Result<unsigned> load(Roster& roster, unsigned loader, Selection where, Maker& maker)
{
    Roster::Plan plan{};
    {
        const LockGuard guard(roster.lock());
        plan = TRY(roster.load(loader, where));
    }
    const Result<void> made = make_all(plan, maker);
    {
        const LockGuard guard(roster.lock());
        if (made)
            roster.commit(plan);
        else
            roster.undo(plan);
    }
    give_back(roster, loader, maker);
    if (!made)
        return std::unexpected(made.error());
    return plan.first;
}

} // namespace parley::jobs
