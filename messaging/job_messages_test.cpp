// SPDX-License-Identifier: MIT
#include "messaging/job_messages.hpp"

#include "testing/fake_job.hpp"
#include "testing/lone_exchange.hpp"

#include <functional>

// It is the one of designs with virtual dispatch (message_system_virtual.cpp).
extern template class parley::messaging::JobMessages<parley::messaging::Factors<>>;

using namespace parley;
using namespace parley::messaging;
using testing::FakeJob;

namespace {

// Its delivery process moves one message, and notes what comes of that.
class OneMessage final : public Transport {
public:
    void bind(Binding&) const override { }
    unsigned route(unsigned, unsigned, const Layout& layout) const override { return layout.first_helper(); }
    Result<void> help(Helper& helper) override { return helper.put(*TRY(helper.next())); }
};

// Its delivery process moves what has come whenever nothing was there.
class AllMessages final : public Transport {
public:
    void bind(Binding&) const override { }
    unsigned route(unsigned, unsigned, const Layout& layout) const override { return layout.first_helper(); }
    Result<void> help(Helper& helper) override
    {
        while (!helper.all_have_ended()) {
            before_wait();
            TRY_VOID(helper.wait(helper.sequence()));
            while (Message* const message = TRY(helper.next()))
                TRY_VOID(helper.put(*message));
        }
        has_seen_the_end = true;
        return {};
    }

    std::function<void()> before_wait;
    bool has_seen_the_end = false;
};

// Two processes, and a delivery process.
template <class OwnTransport>
struct Job : FakeJob {
    static constexpr unsigned processes = 2, helper = processes;

    OwnTransport transport;
    testing::LoneExchange exchange;
    Directory two{processes, 1, false};
    JobMessages<Factors> system{{transport, transfer, budget, blocks, two, router, exchange, records, {}}};
};

} // namespace

TEST_CASE("a delivery process that is killed before a full port refuses its message, whoever has the mailbox")
{
    Job<OneMessage> job;
    Message& message = job.message(0, 7, "bytes");
    message.destination = 1;
    message.follow(job.protocol);
    job.put(job.helper, message);
    job.ports[1].capacity = 0;
    REQUIRE(job.peer(1).mailbox.enter());
    [[maybe_unused]] const PassedLock kept(job.peer(1).mailbox);
    job.synchronization.kills = true;
    CHECK(job.system.deliver(job.helper, nullptr).error() == Error::killed);
    CHECK(job.protocol.asked() == "refused");
    CHECK(job.protocol.message == &message);
}

// Programs that never came into the message system cannot say that they have ended.
TEST_CASE("a delivery process that is told to end while it waits first delivers what has come")
{
    Job<AllMessages> job;
    Message& message = job.message(0, 7, "bytes");
    message.destination = 1;
    job.transport.before_wait = [&] {
        job.put(job.helper, message);
        job.synchronization.kills = true;
    };
    CHECK(job.system.deliver(job.helper, nullptr).error() == Error::killed);
    CHECK(job.transport.has_seen_the_end);
    CHECK(job.ports[1].entries().size() == 1);
}
