// SPDX-License-Identifier: MIT
#include "testing/explored/job.hpp"

#include "messaging/memory/buddy_heap.hpp"
#include "testing/mapped_memory.hpp"

#include "platform.hpp"

#include <cstring>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace parley::testing {

namespace {

using messaging::BuddyHeap;

messaging::Design design_of(std::string_view text)
{
    messaging::Design design;
    if (const messaging::FixedString wrong = messaging::parse_design(text, design); !wrong.empty())
        throw std::invalid_argument(std::string(wrong.text()));
    return design;
}

// What a system of one page for messages needs: less than that, and it cannot be made. Found once for each.
std::size_t least_bytes(const messaging::SystemOptions& options, unsigned endpoints)
{
    static std::map<std::tuple<std::string, unsigned, std::size_t>, std::size_t> known;
    const auto key = std::tuple(std::string(messaging::canonical(options.design).text()), options.nodes,
                                options.blocks.bytes);
    if (const auto found = known.find(key); found != known.end())
        return found->second;
    const explorer::ForAllPlays for_all;
    std::size_t enough = messaging::system_bytes(endpoints, page_bytes, options.blocks);
    for (std::size_t less = 0; enough - less > page_bytes;) {
        const std::size_t middle = round_up(less + (enough - less) / 2, page_bytes);
        const MappedMemory memory(middle);
        if (messaging::create(memory.start(), middle, options))
            enough = middle;
        else
            less = middle;
    }
    return known[key] = enough;
}

std::size_t bytes_for(const messaging::SystemOptions& options, unsigned endpoints, std::size_t pages)
{
    const std::size_t one = page_bytes + BuddyHeap::table_bytes(page_bytes);
    const std::size_t all = pages * page_bytes + BuddyHeap::table_bytes(pages * page_bytes);
    return least_bytes(options, endpoints) - one + all;
}

} // namespace

// An exploration makes thousands of jobs, one after another: they use the same pages.
class ExploredJob::Memory {
public:
    Memory(std::size_t system_bytes, std::size_t block_bytes)
        : system_(system_bytes), blocks_(block_bytes) { }

    static std::unique_ptr<Memory> take(std::size_t system_bytes, std::size_t block_bytes)
    {
        if (last_ == nullptr || last_->system_.bytes() != system_bytes ||
            last_->blocks_.bytes() != block_bytes) {
            const explorer::ForAllPlays for_all;
            return std::make_unique<Memory>(system_bytes, block_bytes);
        }
        std::memset(last_->system_.start(), 0, system_bytes);
        return std::move(last_);
    }
    static void give_back(std::unique_ptr<Memory> memory) { last_ = std::move(memory); }

    std::byte* system() const { return system_.start(); }
    std::uintptr_t blocks() const { return blocks_.address(); }

private:
    static std::unique_ptr<Memory> last_;

    MappedMemory system_, blocks_;
};

std::unique_ptr<ExploredJob::Memory> ExploredJob::Memory::last_;

ExploredJob::ExploredJob(const Plan& plan) : plan_(plan), design_(design_of(plan.design))
{
    const messaging::DesignTraits traits = messaging::traits_of(design_);
    endpoints_ = messaging::endpoint_count(traits.helpers, nodes(), 1);
    messaging::SystemOptions options{design_, nodes(), 1, {0, plan.block_bytes, traits.one_domain}};
    options.setting = plan.setting;
    // The table of blocks alone is made when their place is not known yet.
    const std::size_t bytes = bytes_for(options, endpoints_, plan.buffer_pages);
    memory_ = Memory::take(bytes, plan.block_bytes);
    options.blocks.base = memory_->blocks();
    const auto system = messaging::create(memory_->system(), bytes, options);
    if (!system)
        throw std::runtime_error("the system cannot be made: " + std::string(sentence(system.error())));
    system_ = *system;
    platform::explored::begin(plan.death != Death::unwinds);
    for (unsigned node = 0; node < nodes(); ++node)
        processes_.push_back(is_away(node) ? nullptr
                                           : std::make_unique<CallingProcess>(
                                                 *system_, node, nodes(), capabilities_in_tests(design_),
                                                 [this](const std::string& failure) { note(failure); }));
    for (unsigned node = 0; node < plan.before.size(); ++node)
        plan.before[node](*processes_[node]);
}

ExploredJob::~ExploredJob() { Memory::give_back(std::move(memory_)); }

explorer::Play ExploredJob::play(const Plan& plan)
{
    auto job = std::make_shared<ExploredJob>(plan);
    explorer::Play play;
    for (unsigned endpoint = 0; endpoint < job->endpoints_; ++endpoint)
        if (!job->is_idle(endpoint))
            play.parties.push_back([job, endpoint] { job->live(endpoint); });
    if (plan.victim != nobody)
        play.parties.push_back([job] { job->end_victim(); });
    play.check = [job] { return job->fault(); };
    return play;
}

void ExploredJob::live(unsigned endpoint)
{
    if (endpoint >= nodes())
        (void)system_->deliver(endpoint, plan_.equipment.get());
    else if (is_away(endpoint))
        return close(endpoint);
    else
        plan_.programs[endpoint](*processes_[endpoint]);
    if (plan_.death == Death::succeeded && static_cast<int>(endpoint) == plan_.victim)
        succeed();
    if (plan_.ends == Ends::together)
        return;
    if (endpoint < nodes())
        (void)system_->drain(endpoint);
    close(endpoint);
    if (plan_.all_die && static_cast<int>(endpoint) == plan_.victim)
        for (unsigned other = 0; other < endpoints_; ++other)
            if (other != endpoint)
                explorer::kill(other);
}

void ExploredJob::end_victim()
{
    const auto victim = static_cast<unsigned>(plan_.victim);
    if (plan_.death == Death::unwinds)
        return explorer::kill(victim);
    if ((platform::explored::copying & 1u << victim) == 0 || is_succeeded_)
        return;
    explorer::end(victim);
    if (plan_.death == Death::is_cut)
        return system_->close(victim, messaging::EndpointState::killed);
    succeed();
    (void)system_->drain(victim);
    system_->close(victim, messaging::EndpointState::ended);
}

void ExploredJob::succeed()
{
    const auto victim = static_cast<unsigned>(plan_.victim);
    is_succeeded_ = true;
    system_->reset(victim, messaging::Waiting::kept);
    plan_.successor(*processes_[victim]);
}

void ExploredJob::close(unsigned endpoint)
{
    system_->close(endpoint,
                   explorer::must_end() ? messaging::EndpointState::killed : messaging::EndpointState::ended);
}

std::string ExploredJob::fault()
{
    if (plan_.ends == Ends::together)
        for (unsigned endpoint = 0; endpoint < endpoints_; ++endpoint)
            if (!is_idle(endpoint) && system_->records()[endpoint].is_live())
                close(endpoint);
    if (const std::size_t left = system_->leaks(); left != 0 && plan_.idle == 0)
        note("left allocated: " + std::to_string(left));
    return failures_;
}

void ExploredJob::note(const std::string& failure) { failures_ += (failures_.empty() ? "" : "; ") + failure; }

} // namespace parley::testing
