// SPDX-License-Identifier: MIT
// Keeps the answers to ranks' requests that can be given only when all machines have made a change. The
// packets that tell machines of the change carry a token, and so do the packets in which they report that it
// is made, or why it cannot be.
#pragma once

#include "base/result.hpp"
#include "native/nxrun/packet.hpp"

#include <map>
#include <optional>
#include <utility>

namespace parley::native {

class PendingAnswers {
public:
    struct Answer {
        unsigned endpoint;
        unsigned number; // of the request
        long value;
        bool ends; // the rank itself is one of those that it has killed: it ends instead of an answer
        Packet change{};
        Result<void> made{}; // by all machines, or why not by one of them
    };

    // Keeps an answer until done() has been called `count` times with the token, which is the result.
    long keep(const Answer& answer, unsigned count)
    {
        pending_.emplace(++last_token_, Pending{answer, count});
        return last_token_;
    }

    // A machine has made the change that had the token, or could not. The result is the answer when it was
    // the last machine. An unknown token changes nothing.
    std::optional<Answer> done(long token, const Result<void>& made = {})
    {
        const auto found = pending_.find(token);
        if (found == pending_.end())
            return {};
        if (!made)
            found->second.answer.made = made;
        if (--found->second.left > 0)
            return {};
        Answer answer = std::move(found->second.answer);
        pending_.erase(found);
        return answer;
    }

    bool none() const { return pending_.empty(); }

private:
    struct Pending {
        Answer answer;
        unsigned left;
    };
    std::map<long, Pending> pending_; // by token
    long last_token_ = 0;
};

} // namespace parley::native
