// SPDX-License-Identifier: MIT
#include "kernel/job/unreceived.hpp"

#include "base/text.hpp"
#include "jobs/unreceived_description.hpp"
#include "kernel/job/job.hpp"

namespace parley::kernel {

namespace {

using messaging::Unreceived;

void begin(TextWriter& text, Job& job, unsigned endpoint)
{
    const jobs::Roster& roster = job.cube().roster();
    text << "job=" << job.number() << "\nnode=" << roster.node_of(endpoint)
         << "\npid=" << roster.pid_of(endpoint) << '\n';
}

void add(TextWriter& text, const Unreceived::Item& left)
{
    text << "what=" << jobs::word_of(left.kind) << "\ncount=" << left.count;
    if (Unreceived::is_of_a_call(left.kind))
        text << "\nid=" << left.type;
    else
        text << "\ntype=" << left.type << "\nbytes=" << left.bytes << "\nfrom_node=" << left.node
             << "\nfrom_pid=" << left.pid;
    text << "\nsentence=";
    jobs::describe_unreceived(text, left);
    text << '\n';
}

void send(ResultsChannel& results, Job& job, unsigned endpoint, const Unreceived& left)
{
    left.for_each([&](const Unreceived::Item& one) {
        if (jobs::word_of(one.kind).empty())
            return;
        Text<400> text;
        begin(text, job, endpoint);
        add(text, one);
        results.send(PARLEY_FRAME_UNRECEIVED, text.view());
    });
    // A program that has damaged its region may have written anything here: no more than fits is believed.
    const auto others = static_cast<std::uint32_t>(left.others());
    if (others == 0)
        return;
    Text<200> text;
    begin(text, job, endpoint);
    text << "what=more\ncount=" << others << "\nsentence=";
    jobs::describe_more_unreceived(text, others);
    text << '\n';
    results.send(PARLEY_FRAME_UNRECEIVED, text.view());
}

} // namespace

void send_unreceived(ResultsChannel& results, Job& job)
{
    for (unsigned endpoint = 0; endpoint < job.configuration().programs(); ++endpoint)
        if (const messaging::WaitRecord* const record = job.messages().record(endpoint))
            send(results, job, endpoint, record->unreceived);
}

} // namespace parley::kernel
