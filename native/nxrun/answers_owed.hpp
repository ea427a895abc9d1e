// SPDX-License-Identifier: MIT
// Keeps the answers to ranks' requests that can be given only when all machines have made a change. The
// packets that tell machines of the change carry a token, and so do the packets in which they report that it
// is made.
#pragma once

#include <map>
#include <optional>

namespace parley::native {

class AnswersOwed {
public:
    struct Answer {
        unsigned endpoint;
        unsigned number; // of the request
        long value;
        bool ends; // the rank itself is one of those that it has killed: it ends instead of an answer
    };

    // Keeps an answer until done() has been called `count` times with the token, which is the result.
    long owe(const Answer& answer, unsigned count)
    {
        owed_.emplace(++last_token_, Owed{answer, count});
        return last_token_;
    }

    // A machine has made the change that had the token. The result is the answer when it was the last
    // machine. An unknown token changes nothing.
    std::optional<Answer> done(long token)
    {
        const auto found = owed_.find(token);
        if (found == owed_.end() || --found->second.left > 0)
            return {};
        const Answer answer = found->second.answer;
        owed_.erase(found);
        return answer;
    }

    bool none() const { return owed_.empty(); }

private:
    struct Owed {
        Answer answer;
        unsigned left;
    };
    std::map<long, Owed> owed_; // by token
    long last_token_ = 0;
};

} // namespace parley::native
