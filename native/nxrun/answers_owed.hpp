// SPDX-License-Identifier: MIT
// Answers to ranks' requests that wait until all other machines have done something. What they were told
// carries a token, and so does each machine's word that it is done.
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

    // `count`: how often done() will be said for the token, which is the result.
    long owe(const Answer& answer, unsigned count)
    {
        owed_.emplace(++last_token_, Owed{answer, count});
        return last_token_;
    }

    // One has done what had the token. The answer, when it was the last. A token that nobody has is passed
    // over.
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
