// SPDX-License-Identifier: MIT
// The two ends of an adaptive message's pipeline alone, in every order of their steps: a sender that brings
// the bytes piece by piece, and a receiver that takes what has come.
#include "messaging/message/message.hpp"
#include "messaging/transfer/adaptive/pipeline.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"
#include "testing/fake_factors.hpp"
#include "testing/lone_exchange.hpp"
#include "testing/mapped_memory.hpp"

#include <memory>
#include <string>
#include <vector>

using namespace parley;
using namespace parley::messaging;

namespace {

using Pipeline = adaptive::Pipeline<Location>;

constexpr std::size_t arena_bytes = 1 << 20;

struct Scene {
    explicit Scene(std::uint32_t length) : out(length, std::byte{1}), in(length)
    {
        if (!buffers.start())
            throw std::bad_alloc();
        message.write(Envelope().addressed(0, length, 0, 0));
        if (!pipeline.begin(message, offer()))
            throw std::bad_alloc();
        buffer = message.data;
    }

    Offer offer() const
    {
        return {.sender = 0, .buffer = {reinterpret_cast<std::uintptr_t>(out.data())}, .copies = 1};
    }
    void bring()
    {
        is_brought = pipeline.bring(message, offer(), {WaitReason::delivery, 0, 0, -1}).has_value();
    }
    void take()
    {
        Result<void> taken;
        while (taken = pipeline.take(message, {reinterpret_cast<std::uintptr_t>(in.data())}),
               !taken && taken.error() == Error::would_block)
            explorer::spin();
        is_taken = taken.has_value();
        buffers.release(buffer);
    }

    testing::MappedMemory memory{arena_bytes};
    testing::MappedMemory table{BuddyHeap::table_bytes(arena_bytes)};
    BuddyHeap buffers{memory.start(), arena_bytes, table.start()};
    testing::FakeLocation programs;
    Location& location = programs;
    testing::LoneExchange exchange;
    Pipeline pipeline{location, buffers, exchange};
    Message message{};
    std::vector<std::byte> out, in;
    std::byte* buffer = nullptr;
    explorer::Noted<bool> is_brought = false, is_taken = false;
};

explorer::Play bytes_are_taken_as_they_come(std::uint32_t length)
{
    const auto scene = std::make_shared<Scene>(length);
    explorer::Play play;
    play.parties.push_back([=] { scene->bring(); });
    play.parties.push_back([=] { scene->take(); });
    play.check = [=]() -> std::string {
        if (!scene->is_brought || !scene->is_taken)
            return "an end does not know what became of the message";
        return scene->in == scene->out ? "" : "the bytes are not those that were sent";
    };
    return play;
}

// Nobody will receive the message: one of the two discards it.
explorer::Play it_is_refused()
{
    const auto scene = std::make_shared<Scene>(1);
    explorer::Play play;
    play.parties.push_back([=] { scene->bring(); });
    play.parties.push_back([=] {
        if (!scene->pipeline.refused(scene->message))
            scene->buffers.release(scene->buffer);
    });
    play.check = [=] { return scene->buffers.used_units() == 0 ? "" : "the buffer is kept"; };
    return play;
}

} // namespace

TEST_CASE("an adaptive message's two ends agree on its bytes in every order of steps there is")
{
    const explorer::Options options{.preemptions = explorer::unlimited, .weak_executions = 1000};
    for (const std::uint32_t length : {200u, static_cast<std::uint32_t>(Pipeline::piece_bytes + 1)})
        CHECK(explorer::explore(options, [=] { return bytes_are_taken_as_they_come(length); }).failure == "");
    CHECK(explorer::explore(options, it_is_refused).failure == "");
}
