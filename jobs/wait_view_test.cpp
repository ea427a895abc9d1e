// SPDX-License-Identifier: MIT
#include "jobs/wait_view.hpp"
#include "messaging/message/message_list.hpp"
#include "testing/catch.hpp"

#include <string>

using namespace parley;
using namespace parley::jobs;
using messaging::WaitReason;
using messaging::WaitRecord;

namespace {

// Memory of which all can be read, but for one address.
struct Paper final : ViewedSystem {
    const void* view(const void* address, std::size_t, std::size_t) override
    {
        return address == torn ? nullptr : address;
    }
    void tell(std::string_view lines) override { text += lines; }

    const void* torn = nullptr;
    std::string text;
};

void wait_for(WaitRecord& record, WaitReason reason)
{
    record.reason = reason;
    record.type = 5;
    record.epoch = record.epoch + 1;
}

bool stuck(TwoLooks& looks, std::initializer_list<Seen> all)
{
    Look look;
    for (const Seen& seen : all)
        look.add(seen);
    return looks.nobody_can_go_on(look);
}

} // namespace

TEST_CASE("nobody can go on when all wait at two looks and none has gone on between them")
{
    TwoLooks looks;
    CHECK_FALSE(stuck(looks, {Seen::waiting(1), Seen::waiting(3)}));
    CHECK(stuck(looks, {Seen::waiting(1), Seen::waiting(3)}));
    CHECK_FALSE(stuck(looks, {Seen::waiting(1), Seen::waiting(5)}));
    CHECK(stuck(looks, {Seen::waiting(1), Seen::waiting(5)}));
    CHECK_FALSE(stuck(looks, {Seen::waiting(5), Seen::waiting(1)}));
}

TEST_CASE("somebody who goes on at one of two looks saves all")
{
    TwoLooks looks;
    CHECK_FALSE(stuck(looks, {Seen::going_on(), Seen::waiting(1)}));
    CHECK_FALSE(stuck(looks, {Seen::away(), Seen::waiting(1)})); // the same epochs
    CHECK(stuck(looks, {Seen::away(), Seen::waiting(1)}));
    CHECK_FALSE(stuck(looks, {Seen::going_on(), Seen::waiting(1)}));
}

TEST_CASE("where nobody waits for others all is well")
{
    TwoLooks looks;
    WaitRecord delivery_process;
    wait_for(delivery_process, WaitReason::delivery_process);
    const Seen idle = Seen::by(delivery_process);
    CHECK((idle.waits && !idle.for_others));
    CHECK_FALSE(stuck(looks, {Seen::away(), idle}));
    CHECK_FALSE(stuck(looks, {Seen::away(), idle}));
}

TEST_CASE("who has been signalled since it looked goes on")
{
    WaitRecord record;
    CHECK_FALSE(Seen::by(record).waits);
    wait_for(record, WaitReason::message);
    CHECK(Seen::by(record).waits);
    CHECK(Seen::by(record).epoch == 1);
    record.event.sequence = record.event.sequence + 1;
    CHECK_FALSE(Seen::by(record).waits);
}

TEST_CASE("a wait is told with how long it is and what holds it up")
{
    Paper paper;
    WaitReport report(paper);
    WaitRecord record;
    wait_for(record, WaitReason::message);
    Text<240> first, second, third;
    report.tell_wait(first, record, 3270);
    record.holds_handler = 1;
    report.tell_wait(second << "  node 1: ", record);
    report.tell_wait_for_ends(third, record);
    report.tell_budget("BUDGET=");
    const std::string wait = "crecv(selector 5, from any node) waits for a message";
    const std::string held = "; a message handler is due, but the program holds it back with masktrap\n";
    CHECK(paper.text ==
          wait + ", for 3.2 s\n  node 1: " + wait + held + "waitall waits for programs to end" + held);
}

TEST_CASE("what to do about the budget is told once, if somebody waits for it")
{
    Paper paper;
    WaitReport report(paper);
    WaitRecord record;
    wait_for(record, GENERATE(WaitReason::budget, WaitReason::delivery_process));
    record.length = 1; // of a delivery process: it waits for memory
    for (int i = 0; i < 2; ++i) {
        Text<240> line;
        report.tell_wait(line, record);
    }
    paper.text.clear();
    report.tell_budget("--budget");
    CHECK(paper.text ==
          "  the message budget is used up: give the job more (--budget), or receive in another "
          "order\n");
}

TEST_CASE("of messages that do not end a wait eight are told, and none behind what cannot be read")
{
    Paper paper;
    WaitReport report(paper);
    WaitRecord record;
    wait_for(record, WaitReason::message);
    messaging::MessageList list;
    messaging::Message messages[9];
    for (messaging::Message& message : messages)
        list.push_back(message);
    record.unexpected = &list;
    report.tell_unmatched(record);
    const auto count = [&](std::string_view what) {
        std::size_t found = 0;
        for (std::size_t at = paper.text.find(what); at != std::string::npos;
             at = paper.text.find(what, at + 1))
            ++found;
        return found;
    };
    CHECK(count("    unmatched: ") == 8);
    CHECK(paper.text.ends_with("    and more\n"));
    messaging::MessageList two;
    for (int i = 0; i < 2; ++i)
        two.push_back(*list.pop_front());
    record.unexpected = nullptr;
    record.active_requests.store(&two);
    record.active_replies.store(&list);
    paper.text.clear();
    report.tell_unmatched(record);
    CHECK(count("    unmatched: ") == 8);
    CHECK(paper.text.ends_with("    and more\n"));
    list.push_front(two);
    record.unexpected = &list;
    record.active_requests.store(nullptr);
    record.active_replies.store(nullptr);
    paper.text.clear();
    paper.torn = &messages[2];
    report.tell_unmatched(record);
    CHECK(count("unmatched") == 2);
    paper.text.clear();
    paper.torn = &list;
    report.tell_unmatched(record);
    CHECK(paper.text.empty());
}
