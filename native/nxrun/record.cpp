// SPDX-License-Identifier: MIT
#include "native/nxrun/record.hpp"

#include "base/text.hpp"
#include "jobs/unreceived_description.hpp"
#include "native/nxrun/printable.hpp"
#include "native/nxrun/version.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace parley::native {

namespace {

// The words and numbers of tools/parley_runner/status.py.
const char* word_of(JobEnd end)
{
    switch (end) {
    case JobEnd::success: return "success";
    case JobEnd::failed:
    case JobEnd::deadlock: return "failed";
    case JobEnd::limit: return "time-out";
    case JobEnd::interrupted: return "interrupted";
    }
    return "failed";
}

std::string fixed(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

// As tools/parley_trace/naming.py.
std::string name_of(const Record& record, unsigned endpoint)
{
    if (endpoint >= record.nodes * record.pids)
        return record.host && endpoint == record.nodes * record.pids ? "host" : "delivery";
    return "node " + std::to_string(endpoint % record.nodes) +
           (record.pids > 1 ? ", pid " + std::to_string(endpoint / record.nodes) : "");
}

nlohmann::json number(double value)
{
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json json_of(const Record::Row& one)
{
    const parley_row& row = one.row;
    return {{"job", 0},
            {"node", one.node},
            {"name", row.name},
            {"access", row.access},
            {"unit", row.unit},
            {"bytes", row.bytes},
            {"samples", row.samples},
            {"median", number(row.median)},
            {"lower_quartile", number(row.lower_quartile)},
            {"upper_quartile", number(row.upper_quartile)},
            {"minimum", number(row.minimum)},
            {"maximum", number(row.maximum)}};
}

nlohmann::json json_of(const RankTime& time, unsigned long clock_hertz)
{
    return {{"job", 0},
            {"endpoint", time.endpoint},
            {"life", time.life},
            {"running", time.running},
            {"inside", time.use.inside},
            {"waiting", time.use.waiting},
            {"calls", time.use.calls},
            {"clock_hertz", clock_hertz}};
}

std::string sentence_of(const messaging::Unreceived::Item& one)
{
    Text<200> text;
    jobs::describe_unreceived(text, one);
    return std::string(text.view());
}

std::string sentence_of_more(std::uint64_t count)
{
    Text<80> text;
    jobs::describe_more_unreceived(text, count);
    return std::string(text.view());
}

void add(nlohmann::json& all, const Record::Left& left)
{
    using messaging::Unreceived;
    const auto add_one = [&](nlohmann::json one) {
        one.update({{"job", 0}, {"node", left.node}, {"pid", left.pid}});
        all.push_back(one);
    };
    left.what.for_each([&](const Unreceived::Item& one) {
        if (jobs::word_of(one.kind).empty())
            return;
        nlohmann::json said = {
            {"what", jobs::word_of(one.kind)}, {"count", one.count}, {"sentence", sentence_of(one)}};
        if (Unreceived::is_of_a_call(one.kind))
            said["id"] = one.type;
        else
            said.update(
                {{"type", one.type}, {"bytes", one.bytes}, {"from_node", one.node}, {"from_pid", one.pid}});
        add_one(said);
    });
    if (left.what.others() != 0)
        add_one({{"what", "more"},
                 {"count", left.what.others()},
                 {"sentence", sentence_of_more(left.what.others())}});
}

nlohmann::json json_of(const Record& record)
{
    using nlohmann::json;
    json rows = json::array(), processes = json::array(), times = json::array(), unreceived = json::array();
    for (const Record::Row& row : record.rows)
        rows.push_back(json_of(row));
    for (const Record::Process& one : record.processes)
        processes.push_back({{"job", 0},
                             {"node", one.node},
                             {"pid", one.pid},
                             {"status", one.status},
                             {"reason", one.reason}});
    for (const RankTime& time : record.times)
        times.push_back(json_of(time, record.clock_hertz));
    for (const Record::Left& left : record.unreceived)
        add(unreceived, left);
    const json job = {{"job", 0},
                      {"name", record.app},
                      {"app", record.app},
                      {"design", record.design},
                      {"semaphore", record.semaphore},
                      {"nodes", record.nodes},
                      {"pids", record.pids},
                      {"host", record.host ? 1 : 0},
                      {"status", record.job_word()}};
    json all = {{"format", "parley-record-1"},
                {"schema", 3},
                {"status", word_of(record.end)},
                {"exit_status", record.exit_status()},
                {"sentence", record.sentence},
                {"design", record.design},
                {"app", record.app},
                {"nodes", record.nodes},
                {"processors", record.processors},
                {"clock", "native"},
                {"dispatch", record.dispatch},
                {"checks", nullptr},
                {"kernel", nullptr},
                {"nxrun", version},
                {"plan", json::object()},
                {"jobs", json::array({job})},
                {"processes", processes},
                {"rows", rows},
                {"rows_left_out", record.rows_left_out},
                {"turns", record.turns},
                {"times", times},
                {"unreceived", unreceived},
                {"host", {{"emulator", nullptr}, {"cores", record.processors}, {"seconds", record.seconds}}},
                {"asked",
                 {{"processors", record.processors},
                  {"jobs", json::array({{{"design", record.asked_design}, {"app", record.app}}})}}}};
    if (record.openmp)
        all["openmp"] = {{"runtime", record.openmp->is_ours ? "parley" : "gcc"},
                         {"file", record.openmp->file}};
    return all;
}

} // namespace

int Record::exit_status() const
{
    switch (end) {
    case JobEnd::success: return 0;
    case JobEnd::failed:
    case JobEnd::deadlock: return 1;
    case JobEnd::limit: return 6;
    case JobEnd::interrupted: return 130;
    }
    return 1;
}

const char* Record::job_word() const
{
    switch (end) {
    case JobEnd::success: return "ok";
    case JobEnd::deadlock: return "deadlock";
    case JobEnd::limit: return "limit";
    default: return "failed";
    }
}

std::string text_of(const Record& record)
{
    return json_of(record).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void Record::add(const Row& row)
{
    if (rows.size() < most_rows)
        rows.push_back(row);
    else
        ++rows_left_out;
}

void print(const Record& record)
{
    if (record.rows.empty())
        return;
    std::cout << std::left << std::setw(24) << "what" << std::right << std::setw(9) << "bytes"
              << "  " << std::left << std::setw(8) << "access" << std::right << std::setw(14) << "median"
              << std::setw(14) << "quartiles" << std::setw(14) << "" << "  unit      samples\n";
    for (const Record::Row& one : record.rows) {
        const parley_row& row = one.row;
        std::cout << std::left << std::setw(24) << printable(row.name) << std::right << std::setw(9)
                  << row.bytes << "  " << std::left << std::setw(8) << printable(row.access) << std::right
                  << std::setprecision(5) << std::setw(14) << row.median << std::setw(14)
                  << row.lower_quartile << std::setw(14) << row.upper_quartile << "  " << std::left
                  << std::setw(10) << printable(row.unit) << std::right << row.samples << '\n';
    }
    std::cout.flush();
}

std::string unreceived_of(const Record& record)
{
    if (record.unreceived.empty())
        return "The job has left nothing unreceived.";
    std::string text = "The job has left unreceived:";
    for (const Record::Left& left : record.unreceived) {
        const std::string begin = "\n  " + left.name + ": ";
        left.what.for_each([&](const auto& one) {
            if (!jobs::word_of(one.kind).empty())
                text += begin + sentence_of(one);
        });
        if (left.what.others() != 0)
            text += begin + sentence_of_more(left.what.others());
    }
    return text;
}

void print_times(const Record& record)
{
    std::vector<std::vector<std::string>> lines{
        {"", "life, ms", "in the system", "of it working", "of it waiting", "outside", "calls"}};
    for (const RankTime& time : record.times) {
        const auto life = static_cast<double>(std::max<std::uint64_t>(time.life, 1));
        const auto inside = static_cast<double>(time.use.inside);
        const auto waiting = std::min(static_cast<double>(time.use.waiting), inside);
        const auto share = [life](double part) { return fixed(100 * part / life, 1) + " %"; };
        lines.push_back({name_of(record, time.endpoint),
                         fixed(1000 * life / static_cast<double>(record.clock_hertz), 3), share(inside),
                         share(inside - waiting), share(waiting), share(life - inside),
                         std::to_string(time.use.calls)});
    }
    std::vector<std::size_t> widths(lines.front().size());
    for (const auto& line : lines)
        for (std::size_t at = 0; at < line.size(); ++at)
            widths[at] = std::max(widths[at], line[at].size());
    std::cout << "Where each node's time went, in percent of its life (watched: the numbers include the "
                 "watching)\n";
    for (const auto& line : lines)
        for (std::size_t at = 0; at < line.size(); ++at)
            std::cout << (at == 0 ? "" : "  ") << std::right << std::setw(static_cast<int>(widths[at]))
                      << line[at] << (at + 1 == line.size() ? "\n" : "");
    std::cout.flush();
}

} // namespace parley::native
