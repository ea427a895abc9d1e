// SPDX-License-Identifier: MIT
#include "jobs/unreceived_description.hpp"

#include <string_view>

namespace parley::jobs {

namespace {

using messaging::Unreceived;

void add_sender(TextWriter& text, const Unreceived::Item& left)
{
    text << ", from ";
    if (left.node < 0)
        text << "any node";
    else
        text << "node " << left.node;
    if (left.pid != 0)
        text << ", process " << left.pid;
}

void describe_message(TextWriter& text, const Unreceived::Item& left)
{
    text << "type " << left.type << ", " << Counted{static_cast<std::uint64_t>(left.bytes), "byte"};
    add_sender(text, left);
    text << ": never received";
}

void describe_receive(TextWriter& text, const Unreceived::Item& left, std::string_view what)
{
    text << "irecv(selector " << left.type;
    add_sender(text, left);
    text << "): " << what;
}

void describe_call(TextWriter& text, const Unreceived::Item& left, std::string_view call)
{
    text << call << '(' << left.type << "): that request had ended before";
}

} // namespace

std::string_view word_of(Unreceived::Kind kind)
{
    switch (kind) {
    case Unreceived::Kind::none: return "";
    case Unreceived::Kind::message: return "message";
    case Unreceived::Kind::posted: return "irecv without a message";
    case Unreceived::Kind::arrived: return "irecv not waited for";
    case Unreceived::Kind::waited_again: return "msgwait again";
    case Unreceived::Kind::asked_again: return "msgdone again";
    case Unreceived::Kind::cancelled_again: return "msgcancel again";
    }
    return "";
}

void describe_unreceived(TextWriter& text, const Unreceived::Item& left)
{
    switch (left.kind) {
    case Unreceived::Kind::none: return;
    case Unreceived::Kind::message: describe_message(text, left); break;
    case Unreceived::Kind::posted: describe_receive(text, left, "never got a message"); break;
    case Unreceived::Kind::arrived: describe_receive(text, left, "has its message, never waited for"); break;
    case Unreceived::Kind::waited_again: describe_call(text, left, "msgwait"); break;
    case Unreceived::Kind::asked_again: describe_call(text, left, "msgdone"); break;
    case Unreceived::Kind::cancelled_again: describe_call(text, left, "msgcancel"); break;
    }
    if (left.count > 1)
        text << " (" << left.count << " times)";
}

void describe_more_unreceived(TextWriter& text, std::uint64_t count)
{
    text << "and of other kinds " << count << " more";
}

} // namespace parley::jobs
