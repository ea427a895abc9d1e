// SPDX-License-Identifier: MIT
// The tests of transfers find an nx2 that goes on when it may not.
#include "messaging/transfer/nx2/nx2.hpp"
#include "testing/catch.hpp"
#include "testing/transfer_faults.hpp"
#include "testing/wrong_leaves.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

// An nx2 that goes on when its permission is withdrawn.
class InsistentTransfer final : public testing::TamperingTransfer<Nx2Transfer<>>, private Protocol {
public:
    using TamperingTransfer::TamperingTransfer;

    Result<Custody> offer(Message& message, const Offer& offer) override
    {
        const Result<Custody> custody = inner_.offer(message, offer);
        if (custody && *custody == Custody::followed) {
            protocol_ = message.protocol();
            message.follow(*this);
        }
        return custody;
    }
    Result<Custody> repeat(Message& message, const Offer& more) override { return offer(message, more); }

private:
    Step matched(Message& message, Receive& receive) override REQUIRES(a_mailbox)
    {
        return protocol_->matched(message, receive);
    }
    void queued(Message& message) override REQUIRES(a_mailbox) { protocol_->queued(message); }
    void withdrawn(Message&) override { }
    void abandoned(Message& message) override REQUIRES(a_mailbox) { protocol_->abandoned(message); }
    bool refused(Message& message) override { return protocol_->refused(message); }
    Result<void> bring(Message& message, const Offer& offer, const WaitDetails& details) override
    {
        return protocol_->bring(message, offer, details);
    }
    void abandoned_by_sender(Message& message, unsigned sender) override
    {
        protocol_->abandoned_by_sender(message, sender);
    }

    Protocol* protocol_ = nullptr;
};

} // namespace

TEST_CASE("the tests of transfers find an nx2 that brings bytes to a receive that has been taken back")
{
    CHECK_THAT(testing::fault_of_transfer<InsistentTransfer>(),
               Catch::Matchers::Contains("a receive that has been taken back"));
}
