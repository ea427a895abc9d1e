// SPDX-License-Identifier: MIT
#include "messaging/job_messages.hpp"

#include "testing/fake_job.hpp"
#include "testing/lone_exchange.hpp"

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
    unsigned route(unsigned, const Layout& layout) const override { return layout.first_helper(); }
    Result<void> help(Helper& helper) override { return helper.put(*TRY(helper.next())); }
};

// Two processes, and a delivery process.
struct Job : FakeJob {
    static constexpr unsigned processes = 2, helper = processes;

    OneMessage transport;
    testing::LoneExchange exchange;
    Directory two{processes, 1, false};
    JobMessages<Factors> system{{transport, transfer, budget, blocks, two, router, exchange, records, {}}};
};

} // namespace

TEST_CASE("a delivery process that is killed before a full port refuses its message, whoever has the mailbox")
{
    Job job;
    Message& message = job.message(0, 7, "bytes");
    message.destination = 1;
    message.follow(job.protocol);
    job.put(Job::helper, message);
    job.ports[1].capacity = 0;
    REQUIRE(job.peer(1).mailbox.enter());
    job.synchronization.kills = true;
    CHECK(job.system.deliver(Job::helper, nullptr).error() == Error::killed);
    CHECK(job.protocol.asked() == "refused");
    CHECK(job.protocol.message == &message);
}
