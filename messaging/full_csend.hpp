// SPDX-License-Identifier: MIT
// One csend on the full way, as its Interaction sees it (interaction.hpp). If a handler of the caller may
// become due while it waits, its messages count on a request. When one becomes due, the call answers that
// request's id, and the program waits for the rest by it. The process itself calls this.
#pragma once

#include "messaging/interaction.hpp"
#include "messaging/posting.hpp"
#include "messaging/requests.hpp"

namespace parley::messaging {

template <class F>
class FullCsend final : public Csend {
public:
    // What it works with, of the process that sends.
    struct Parts {
        Peer<F>& self;
        Posting<F>& posting;
        Progress<F>& progress;
        Requests& requests;
        unsigned spin_limit; // looks at the deliveries before it waits
    };

    FullCsend(const Parts& parts, const SendArguments& arguments, const Destinations& to)
        : parts_(parts), arguments_(arguments), to_(to), is_to_itself_(parts.posting.is_to_itself(to)),
          counted_{nullptr, parts.self.delivery.lent()}
    {
    }

    // Runs the whole call. Answers 0, or the id of a request for the rest. Errors: those of
    // Posting::post(); closed, the process that the message was for was killed meanwhile.
    Outcome run(typename F::Interaction& interaction)
    {
        TRY_VOID(interaction.before_put(*this));
        Result<void> posted = parts_.posting.post(arguments_, to_, counted_);
        if (posted && parts_.posting.was_killed(arguments_, to_))
            posted = std::unexpected(Error::closed);
        if (!posted) {
            if (request_ != nullptr)
                parts_.requests.abandon(*request_);
            return std::unexpected(posted.error());
        }
        TRY_VOID(interaction.after_put(*this));
        return outcome_;
    }

    Result<void> count_deliveries() override
    {
        counted_.may_lend = !is_to_itself_;
        if (is_to_itself_)
            return {};
        counted_.all = &parts_.self.delivery.awaited();
        if (parts_.self.waiter.status().notification() == Notification::off)
            return {};
        request_ = TRY(parts_.requests.begin(RequestState::sending));
        request_->deliveries.begin(false);
        counted_.all = &request_->deliveries;
        return {};
    }

    Result<void> await_deliveries() override
    {
        if (counted_.all == nullptr)
            return {};
        Completion& deliveries = *counted_.all;
        const auto delivered = [&] { return deliveries.is_reached(); };
        const WaitDetails waited_for =
            Posting<F>::details(WaitReason::delivery, arguments_, request_ != nullptr);
        const Result<void> waited =
            parts_.self.delivery.wait_until(delivered, parts_.spin_limit, [&](auto condition) {
                return parts_.progress.await(waited_for, condition);
            });
        if (!waited && waited.error() == Error::interrupted) {
            outcome_ = parts_.requests.id(*request_);
            parts_.requests.remember_csend(*request_, waited_for);
        } else if (!waited)
            return waited;
        else if (request_ != nullptr)
            parts_.requests.end(*request_);
        return {};
    }

private:
    const Parts& parts_;
    const SendArguments& arguments_;
    const Destinations& to_;
    const bool is_to_itself_;
    typename Posting<F>::Counted counted_;
    Request* request_ = nullptr;
    long outcome_ = 0;
};

} // namespace parley::messaging
