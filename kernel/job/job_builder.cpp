// SPDX-License-Identifier: MIT
#include "kernel/job/job_builder.hpp"

#include "kernel/base/text.hpp"
#include "kernel/job/composition.hpp"
#include "kernel/job/places.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/program/executable.hpp"

namespace parley::kernel {

namespace {

constexpr std::size_t scratch_bytes = 16384;

// Messages and shared blocks may take a quarter of memory each unless the job says otherwise.
std::size_t budget(const Kernel& kernel, const JobConfiguration& configuration)
{
    const std::uint64_t quarter = kernel.memory_frames / 4 * page_bytes;
    const std::uint64_t wanted = configuration.budget_bytes != 0 ? configuration.budget_bytes : quarter;
    return round_up(wanted, page_bytes);
}

} // namespace

Loaded<void> JobBuilder::build()
{
    using Step = Loaded<void> (JobBuilder::*)();
    static constexpr Step steps[] = {&JobBuilder::choose_design,       &JobBuilder::make_factors,
                                     &JobBuilder::find_program,        &JobBuilder::make_shared_region,
                                     &JobBuilder::make_domains,        &JobBuilder::make_processes,
                                     &JobBuilder::make_message_system, &JobBuilder::make_programs};
    for (const Step step : steps)
        TRY_VOID((this->*step)());
    return {};
}

// The sentence outlives whoever made it: it is kept with the job.
Loaded<void> JobBuilder::refuse_with(std::string_view sentence)
{
    const Result<std::byte*> copy = job_.window_.allocate(sentence.size(), 1);
    if (!copy)
        return refuse(too_little_memory, Error::no_memory);
    __builtin_memcpy(*copy, sentence.data(), sentence.size());
    return refuse({reinterpret_cast<const char*>(*copy), sentence.size()}, Error::bad_argument);
}

Loaded<void> JobBuilder::choose_design()
{
    const JobConfiguration& wanted = job_.configuration_;
    const messaging::Sentence problem = messaging::parse_design(wanted.design, job_.design_);
    if (!problem.empty())
        return refuse_with(problem.text());
    const messaging::Sentence refusal =
        messaging::refusal(job_.design_, {wanted.programs(), job_.kernel_.processors});
    if (!refusal.empty())
        return refuse_with(refusal.text());
    helpers_ = messaging::helpers_of(job_.design_);
    return choose_schedule();
}

// Those that decide something when a job is made.
Loaded<void> JobBuilder::make_factors()
{
    const Result<Location*> location = make_location(job_.window_, job_.design_);
    const Result<ContextSwitch*> context_switch = make_context_switch(job_.window_, job_.design_);
    const auto is_missing = [](const auto& made) { return !made && made.error() == Error::not_found; };
    if (is_missing(location) || is_missing(context_switch))
        return refuse("this kernel makes no jobs with that location or context-switch: `make designs` lists "
                      "those it has",
                      Error::not_found);
    if (!location || !context_switch)
        return refuse(too_little_memory, Error::no_memory);
    job_.location_ = *location;
    job_.context_switch_ = *context_switch;
    if (!job_.location_->composes(job_.design_))
        return refuse("the message system was built with static dispatch, for the named rows only; use "
                      "DISPATCH=virtual",
                      Error::not_found);
    return {};
}

Loaded<void> JobBuilder::find_program()
{
    const auto program = job_.kernel_.archive.find(job_.configuration_.app);
    if (!program)
        return refuse("the archive does not hold the program that the job asks for", Error::not_found);
    program_ = program->bytes;
    const Result<std::byte*> scratch = job_.window_.allocate(2 * scratch_bytes, page_bytes);
    if (!scratch)
        return refuse(too_little_memory, Error::no_memory);
    scratch_ = job_.scratch_ = {*scratch, scratch_bytes};
    auto* words = reinterpret_cast<char*>(*scratch + scratch_bytes);
    arguments_[0] = job_.configuration_.app;
    const auto count =
        split_words(job_.configuration_.arguments, {words, scratch_bytes}, std::span(arguments_).subspan(1));
    if (!count)
        return refuse(count.error(), Error::bad_argument);
    argument_count_ = 1 + *count;
    return explain(job_.files_.add_originals(job_.kernel_.archive, "files/"), too_little_memory);
}

Loaded<void> JobBuilder::make_shared_region()
{
    const std::size_t blocks = budget(job_.kernel_, job_.configuration_);
    const std::size_t bytes = job_.location_->region_bytes(blocks);
    const Result<SharedRegion*> region =
        SharedRegion::create(job_.window_, job_.frames_, bytes + trace_area());
    if (!region)
        return refuse(too_little_memory, region.error());
    job_.shared_ = *region;
    return {};
}

std::size_t JobBuilder::trace_area() const { return job_.location_->trace_bytes(endpoint_count()); }

Loaded<void> JobBuilder::make_domains()
{
    const unsigned domains = job_.context_switch_->domains_for(processes_in_domains());
    const Result<std::byte*> list = job_.window_.allocate(domains * sizeof(Domain*), alignof(Domain*));
    if (!list)
        return refuse(too_little_memory, list.error());
    job_.domains_ = reinterpret_cast<Domain**>(*list);
    for (unsigned i = 0; i < domains; ++i) {
        const Result<Domain*> domain = Domain::create(job_.window_, job_.frames_);
        if (!domain)
            return refuse(too_little_memory, domain.error());
        job_.domains_[job_.domain_count_++] = *domain;
        TRY_VOID(explain((*domain)->share(*job_.shared_), too_little_memory));
        job_.context_switch_->equip(**domain);
        TRY_VOID(job_.location_->equip(**domain, job_.kernel_.archive));
    }
    return {};
}

unsigned JobBuilder::endpoint_count() const
{
    const JobConfiguration& wanted = job_.configuration_;
    return messaging::endpoint_count(helpers_, wanted.nodes, wanted.pids, wanted.host);
}

unsigned JobBuilder::processes_in_domains() const
{
    return job_.location_->in_domains(job_.configuration_.programs(), helpers_);
}

// They come before the message system, so that what is used all the time lies together in the window.
Loaded<void> JobBuilder::make_processes()
{
    const unsigned nodes = job_.configuration_.nodes;
    const unsigned on_nodes = nodes * job_.configuration_.pids;
    const unsigned count = endpoint_count();
    const Result<std::byte*> list =
        job_.window_.allocate(count * sizeof(UserProcess*), alignof(UserProcess*));
    if (!list)
        return refuse(too_little_memory, list.error());
    job_.processes_ = reinterpret_cast<UserProcess**>(*list);
    for (unsigned i = 0; i < count; ++i) {
        const Result<UserProcess*> process =
            job_.window_.create<UserProcess>(job_, i, static_cast<int>(i < on_nodes ? i % nodes : nodes),
                                             static_cast<int>(i < on_nodes ? i / nodes : 0));
        const Result<std::uint64_t> stack = job_.window_.stack(arch::kernel_stack_bytes);
        if (!process || !stack)
            return refuse(too_little_memory, Error::no_memory);
        (*process)->kernel_stack = *stack;
        (*process)->label = (job_.number_ + 1) << 16 | i;
        schedule(**process);
        job_.processes_[i] = *process;
    }
    return {};
}

Loaded<void> JobBuilder::make_message_system()
{
    const JobConfiguration& wanted = job_.configuration_;
    const messaging::SharedRange blocks{PARLEY_SHARED_BASE, job_.shared_->bytes()};
    job_.messages_ = TRY(job_.location_->make_messages(
        {.options = {job_.design_, wanted.nodes, wanted.pids, blocks, wanted.host},
         .endpoints = endpoint_count(),
         .budget = budget(job_.kernel_, wanted),
         .window = job_.window_,
         .shared = *job_.shared_}));
    job_.waits_.watch(*job_.messages_, endpoint_count(), wanted.name);
    return {};
}

Loaded<void> JobBuilder::make_programs()
{
    const unsigned programs = job_.configuration_.programs();
    for (unsigned i = 0; i < endpoint_count(); ++i) {
        UserProcess& process = *job_.processes_[i];
        job_.messages_->introduce(process);
        process.make_proxies();
        house(process);
        process.name = i < programs ? "program" : "delivery";
        TRY_VOID(i < programs ? make_place(process)
                              : job_.location_->make_helper(process, start_info(process)));
        ++job_.process_count_;
    }
    job_.waits_.know(job_.processes_, programs);
    return {};
}

void JobBuilder::house(UserProcess& process)
{
    if (process.endpoint >= processes_in_domains())
        return;
    const Residence residence = job_.context_switch_->residence(process.endpoint);
    process.domain = job_.domains_[residence.domain];
    process.place = residence.place;
}

// In a job with a host only the host, the last of the programs, has something to run.
Loaded<void> JobBuilder::make_place(UserProcess& process)
{
    if (job_.configuration_.host && process.endpoint + 1 != job_.configuration_.programs())
        return {};
    return make_program(process);
}

Loaded<void> JobBuilder::load(UserProcess& process, std::span<const std::byte> program, std::string_view name,
                              std::string_view rest)
{
    helpers_ = messaging::helpers_of(job_.design_);
    scratch_ = job_.scratch_;
    program_ = program;
    arguments_[0] = name;
    for (argument_count_ = 1; !rest.empty(); ++argument_count_) {
        if (argument_count_ == arguments_.size())
            return refuse("it was given more than 63 arguments", Error::bad_argument);
        rest.remove_prefix(1);
        arguments_[argument_count_] = before_zero(rest);
        rest.remove_prefix(arguments_[argument_count_].size());
    }
    return make_program(process);
}

// Standard input is the user's: the host's where there is one, else node 0's.
std::span<const std::byte> JobBuilder::input_of(const UserProcess& process) const
{
    const JobConfiguration& wanted = job_.configuration_;
    const unsigned reader = wanted.host ? wanted.programs() - 1 : 0;
    const auto input = process.endpoint == reader ? job_.kernel_.archive.find(wanted.input) : std::nullopt;
    return input ? input->bytes : std::span<const std::byte>{};
}

Loaded<void> JobBuilder::make_program(UserProcess& process)
{
    const unsigned place = process.place;
    const Executable parsed = TRY(Executable::parse(program_));
    const bool anywhere = parsed.position_independent();
    const LoadOptions options{job_.context_switch_->residence(process.endpoint).shared,
                              anywhere ? image_window(place) : fixed_window, stack_low(place),
                              stack_top(place)};
    const parley_start start = start_info(process);
    const std::uint64_t seed = process.endpoint + 1;
    const StartedProgram program =
        TRY(start_program(*process.domain, program_, options,
                          {std::span(arguments_).first(argument_count_), start, seed}, scratch_));
    process.entry = program.entry;
    process.stack_pointer = program.stack_pointer;
    const Result<Personality*> personality = job_.window_.create<Personality>(
        PersonalityOptions{*process.domain, process, job_.files_, job_.sink_, input_of(process),
                           program.heap_start, anywhere ? heap_limit(place) : UserAddress{fixed_window.end},
                           stack_bytes, seed, job_.configuration_.tag ? process.node : LineOutput::no_tag});
    if (!personality)
        return refuse(too_little_memory, personality.error());
    process.personality = *personality;
    return {};
}

} // namespace parley::kernel
