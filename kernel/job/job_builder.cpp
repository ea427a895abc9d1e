// SPDX-License-Identifier: MIT
#include "kernel/job/job_builder.hpp"

#include "base/text.hpp"
#include "kernel/job/composition.hpp"
#include "kernel/job/places.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/job/words.hpp"
#include "kernel/process/occupation/policy_process.hpp"
#include "kernel/process/occupation/programs.hpp"
#include "kernel/program/executable.hpp"
#include "kernel/program/machine_name.hpp"

namespace parley::kernel {

namespace {

constexpr std::size_t scratch_bytes = 16384;

// Messages and shared blocks may take a quarter of the job's memory each unless the job says otherwise.
std::size_t budget(const JobParts& parts, const JobConfiguration& configuration)
{
    const std::uint64_t quarter = parts.share.bytes / 4;
    const std::uint64_t wanted = configuration.budget_bytes != 0 ? configuration.budget_bytes : quarter;
    return round_up(wanted, page_bytes);
}

} // namespace

Loaded<void> JobBuilder::build()
{
    using Step = Loaded<void> (JobBuilder::*)();
    static constexpr Step steps[] = {&JobBuilder::check_share,         &JobBuilder::make_semaphores,
                                     &JobBuilder::choose_design,       &JobBuilder::make_factors,
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
    const Result<std::byte*> copy = parts_.window.allocate(sentence.size(), 1);
    if (!copy)
        return refuse(too_little_memory, Error::no_memory);
    __builtin_memcpy(*copy, sentence.data(), sentence.size());
    return refuse({reinterpret_cast<const char*>(*copy), sentence.size()}, Error::bad_argument);
}

Loaded<void> JobBuilder::check_share()
{
    const Share& share = parts_.share;
    const std::uint64_t budget = job_.configuration().budget_bytes;
    Text<240> text;
    if (!share.fits() && job_.configuration().memory_bytes != 0)
        text << "with its JOB_MEMORY the jobs that run at the same time would have "
             << (share.wanted_by_all >> 20) << " MiB, and there are " << (share.for_all >> 20)
             << " MiB for them (a job needs " << (Share::least >> 20)
             << "): lower JOB_MEMORY=, or boot with more (MEMORY=)";
    else if (!share.fits())
        text << "there is no room for it beside the others: lower their JOB_MEMORY=, run fewer at the same "
                "time, or boot with more (MEMORY=)";
    else if (budget > share.bytes)
        text << "its BUDGET is larger than the " << (share.bytes >> 20)
             << " MiB that it may hold: lower it, or raise JOB_MEMORY= or MEMORY=";
    else
        return {};
    return refuse_with(text.view());
}

Loaded<void> JobBuilder::choose_design()
{
    const JobConfiguration& wanted = job_.configuration();
    const messaging::FixedString problem = messaging::parse_design(wanted.design, parts_.design);
    if (!problem.empty())
        return refuse_with(problem.text());
    const messaging::FixedString refusal =
        messaging::refusal(parts_.design, {wanted.programs(), kernel_.processors});
    if (!refusal.empty())
        return refuse_with(refusal.text());
    helpers_ = messaging::helpers_of(parts_.design);
    TRY_VOID(make_word_waits());
    return choose_schedule();
}

Loaded<void> JobBuilder::make_semaphores()
{
    const JobConfiguration& wanted = job_.configuration();
    const std::string_view text = wanted.semaphore.empty() ? messaging::standard_semaphore : wanted.semaphore;
    messaging::LeafChoice kind;
    const messaging::FixedString problem = messaging::parse_semaphore(text, kind);
    if (!problem.empty())
        return refuse_with(problem.text());
    TRY_VOID(make_pages());
    parts_.semaphore_kind = TRY(explain(
        SemaphoreKind::create(parts_.window, kind, wanted.programs(), *parts_.pages), too_little_memory));
    parts_.semaphores =
        TRY(explain(parts_.window.create<JobSemaphores>(parts_.window, job_.number(), wanted.programs(),
                                                        *parts_.semaphore_kind),
                    too_little_memory));
    return {};
}

Loaded<void> JobBuilder::make_pages()
{
    const std::string_view wanted = job_.configuration().disk;
    const messaging::FixedString problem = messaging::parse_disk(wanted, parts_.disk);
    if (!problem.empty())
        return refuse_with(problem.text());
    parts_.pages =
        TRY(explain(parts_.window.create<ProcessPages>(
                        parts_, parts_.disk.name == messaging::no_disk ? nullptr : &parts_.disk.values),
                    too_little_memory));
    return {};
}

// What the processes wait by, where the design says semaphores.
Loaded<void> JobBuilder::make_word_waits()
{
    const std::string_view name = messaging::traits_of(parts_.design).semaphores;
    if (name.empty())
        return {};
    parts_.waiting_kind =
        TRY(explain(SemaphoreKind::create(parts_.window, {name, parts_.design.synchronization.values},
                                          endpoint_count(), *parts_.pages),
                    too_little_memory));
    parts_.word_waits = TRY(explain(
        JobWordWaits::create(parts_.window, *parts_.waiting_kind, endpoint_count()), too_little_memory));
    return {};
}

// Those that decide something when a job is made.
Loaded<void> JobBuilder::make_factors()
{
    const Result<Location*> location = make_location(parts_.window, parts_.design);
    const Result<ContextSwitch*> context_switch = make_context_switch(parts_.window, parts_.design);
    const auto is_missing = [](const auto& made) { return !made && made.error() == Error::not_found; };
    if (is_missing(location) || is_missing(context_switch))
        return refuse("this kernel makes no jobs with that location or context-switch: `make designs` lists "
                      "those it has",
                      Error::not_found);
    if (!location || !context_switch)
        return refuse(too_little_memory, Error::no_memory);
    parts_.location = *location;
    parts_.context_switch = *context_switch;
    if (!parts_.location->composes(parts_.design))
        return refuse("the message system was built with static dispatch, for the presets only; use "
                      "DISPATCH=virtual",
                      Error::not_found);
    return {};
}

Loaded<void> JobBuilder::find_program()
{
    const auto program = kernel_.archive.find(job_.configuration().app);
    if (!program)
        return refuse("the archive does not hold the program that the job asks for", Error::not_found);
    program_ = program->bytes;
    const Result<std::byte*> scratch = parts_.window.allocate(2 * scratch_bytes, page_bytes);
    if (!scratch)
        return refuse(too_little_memory, Error::no_memory);
    scratch_ = parts_.scratch = {*scratch, scratch_bytes};
    auto* words = reinterpret_cast<char*>(*scratch + scratch_bytes);
    arguments_[0] = job_.configuration().app;
    const auto count =
        split_words(job_.configuration().arguments, {words, scratch_bytes}, std::span(arguments_).subspan(1));
    if (!count)
        return refuse(count.error(), Error::bad_argument);
    argument_count_ = 1 + *count;
    if (const auto typed = kernel_.archive.find(job_.configuration().input))
        parts_.input.type(typed->bytes, job_.configuration().host);
    TRY_VOID(explain(parts_.files.add_originals(kernel_.archive, "files/"), too_little_memory));
    if (parts_.files.status(hosts_path).kind != FileKind::none)
        return {};
    return explain(parts_.files.add_original(hosts_path, std::as_bytes(std::span(hosts_text))),
                   too_little_memory);
}

Loaded<void> JobBuilder::make_shared_region()
{
    const std::size_t blocks = budget(parts_, job_.configuration());
    const std::size_t bytes = parts_.location->region_bytes(blocks, endpoint_count());
    const Result<SharedRegion*> region =
        SharedRegion::create(parts_.window, parts_.frames, bytes + trace_area() + PARLEY_SEMAPHORE_AREA);
    if (!region)
        return refuse(too_little_memory, region.error());
    parts_.shared = *region;
    parts_.semaphores->lie_in(**region);
    return {};
}

std::size_t JobBuilder::trace_area() const { return parts_.location->trace_bytes(endpoint_count()); }

Loaded<void> JobBuilder::make_domains()
{
    const unsigned domains = parts_.context_switch->domains_for(processes_in_domains());
    const Result<std::byte*> list = parts_.window.allocate(domains * sizeof(Domain*), alignof(Domain*));
    if (!list)
        return refuse(too_little_memory, list.error());
    parts_.domains = reinterpret_cast<Domain**>(*list);
    for (unsigned i = 0; i < domains; ++i) {
        const Result<Domain*> domain = Domain::create(parts_.window, parts_.frames);
        if (!domain)
            return refuse(too_little_memory, domain.error());
        parts_.domains[parts_.domain_count++] = *domain;
        TRY_VOID(explain((*domain)->share(*parts_.shared), too_little_memory));
        if (policy_processes(parts_) != 0)
            (*domain)->track_writes();
        TRY_VOID(place_pages(**domain, i));
        parts_.context_switch->equip(**domain);
        TRY_VOID(parts_.location->equip(**domain, kernel_.archive));
    }
    return {};
}

// `process`: whose domain it is, where that has it to itself.
Loaded<void> JobBuilder::place_pages(Domain& domain, unsigned process)
{
    if (kernel_.hooks.pages == nullptr)
        return {};
    domain.place_pages(*TRY(kernel_.hooks.pages->placement(job_.configuration(), parts_.window, process)));
    return {};
}

unsigned JobBuilder::endpoint_count() const
{
    const JobConfiguration& wanted = job_.configuration();
    return messaging::endpoint_count(helpers_, wanted.nodes, wanted.pids, wanted.host);
}

// And the policy processes, which the message system does not know.
unsigned JobBuilder::process_count() const { return endpoint_count() + policy_processes(parts_); }

unsigned JobBuilder::processes_in_domains() const
{
    return parts_.location->in_domains(job_.configuration().programs(), helpers_);
}

// They come before the message system, so that what is used all the time lies together in the window.
Loaded<void> JobBuilder::make_processes()
{
    const unsigned nodes = job_.configuration().nodes;
    const unsigned on_nodes = nodes * job_.configuration().pids;
    const unsigned count = process_count();
    const Result<std::byte*> list =
        parts_.window.allocate(count * sizeof(UserProcess*), alignof(UserProcess*));
    if (!list)
        return refuse(too_little_memory, list.error());
    parts_.processes = reinterpret_cast<UserProcess**>(*list);
    TRY_VOID(explain(job_.cube().make_places(parts_.window, count), too_little_memory));
    const Result<std::byte*> programs =
        parts_.window.allocate(job_.configuration().programs() * sizeof(Programs*), alignof(Programs*));
    if (!programs)
        return refuse(too_little_memory, programs.error());
    parts_.programs = reinterpret_cast<Programs**>(*programs);
    for (unsigned i = 0; i < count; ++i) {
        const Result<UserProcess*> process =
            parts_.window.create<UserProcess>(job_, i, static_cast<int>(i < on_nodes ? i % nodes : nodes));
        const Result<std::uint64_t> stack = parts_.window.stack(arch::kernel_stack_bytes);
        if (!process || !stack)
            return refuse(too_little_memory, Error::no_memory);
        (*process)->execution.kernel_stack = *stack;
        (*process)->label = (job_.number() + 1) << 16 | i;
        schedule(**process);
        parts_.processes[i] = *process;
    }
    return {};
}

Loaded<void> JobBuilder::make_message_system()
{
    const JobConfiguration& wanted = job_.configuration();
    const messaging::SharedRange blocks{PARLEY_SHARED_BASE, parts_.shared->bytes() - PARLEY_SEMAPHORE_AREA};
    parts_.messages = TRY(parts_.location->make_messages(
        {.options = {parts_.design, wanted.nodes, wanted.pids, blocks, wanted.host},
         .endpoints = endpoint_count(),
         .budget = budget(parts_, wanted),
         .window = parts_.window,
         .shared = *parts_.shared}));
    const std::size_t words = WaitMonitor::words_each * std::size_t{endpoint_count()};
    std::byte* const memory = TRY(explain(
        parts_.window.allocate(words * sizeof(std::uint32_t), alignof(std::uint32_t)), too_little_memory));
    parts_.waits.watch(*parts_.messages, {reinterpret_cast<std::uint32_t*>(memory), words}, wanted.name);
    return {};
}

Loaded<void> JobBuilder::make_programs()
{
    const unsigned programs = job_.configuration().programs();
    for (unsigned i = 0; i < endpoint_count(); ++i) {
        UserProcess& process = *parts_.processes[i];
        parts_.messages->introduce(process);
        process.make_proxies();
        house(process);
        process.name = i < programs ? "program" : "delivery";
        const std::size_t before = parts_.frames.held();
        TRY_VOID(i < programs ? make_place(process)
                              : parts_.location->make_helper(process, start_info(process)));
        ++parts_.process_count;
        if (i == 0)
            TRY_VOID(check_room(parts_.frames.held() - before, programs - 1));
    }
    make_policy_processes();
    parts_.waits.know(job_.cube().roster(), parts_.processes, programs);
    return {};
}

void JobBuilder::make_policy_processes()
{
    for (unsigned i = endpoint_count(); i < process_count(); ++i) {
        UserProcess& process = *parts_.processes[i];
        process.occupation = &policy_process;
        process.name = "policy";
        // In a gang it has a processor; else it goes before all programs.
        if (parts_.gang == nullptr)
            process.queue = kernel_.urgent;
        ++parts_.process_count;
    }
}

void JobBuilder::house(UserProcess& process)
{
    if (process.endpoint >= processes_in_domains())
        return;
    const Residence residence = parts_.context_switch->residence(process.endpoint);
    process.domain = parts_.domains[residence.domain];
    process.place = residence.place;
}

// What the first program took, each of the others will take at least: better said at once than when the
// machine has been filled up with them.
Loaded<void> JobBuilder::check_room(std::size_t frames_each, unsigned others)
{
    const std::size_t wanted = parts_.frames.held() + frames_each * others;
    if (wanted <= parts_.frames.limit())
        return {};
    constexpr std::size_t frames_a_mebibyte = (1 << 20) / page_bytes;
    constexpr std::size_t step = 128;
    Text<200> sentence;
    sentence << job_.configuration().programs() << " processes need " << wanted / frames_a_mebibyte
             << " MiB, and there are " << parts_.frames.limit() / frames_a_mebibyte << "; ";
    if (job_.configuration().memory_bytes != 0) {
        sentence << "give the job more (JOB_MEMORY=)";
    } else {
        const std::size_t for_all = wanted * (parts_.share.for_all >> 20) / (parts_.share.bytes >> 20);
        sentence << "boot with more (MEMORY=" << round_up(for_all / frames_a_mebibyte * 5 / 4, step) + step
                 << ")";
    }
    sentence << ", or take fewer nodes (NODES=)";
    return refuse_with(sentence.view());
}

// In a job with a host only the host, the last of the programs, has something to run.
Loaded<void> JobBuilder::make_place(UserProcess& process)
{
    Programs* const programs = TRY(explain(parts_.window.create<Programs>(), too_little_memory));
    parts_.programs[process.endpoint] = programs;
    process.occupation = programs;
    if (job_.configuration().host && process.endpoint + 1 != job_.configuration().programs())
        return {};
    return make_program(process);
}

Loaded<void> JobBuilder::load(UserProcess& process, std::span<const std::byte> program, std::string_view name,
                              std::string_view rest)
{
    helpers_ = messaging::helpers_of(parts_.design);
    scratch_ = parts_.scratch;
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

// Standard input is the user's, who types to the host and to node 0.
StandardInput* JobBuilder::input_of(const UserProcess& process) const
{
    const JobConfiguration& wanted = job_.configuration();
    const bool reads = process.endpoint == 0 || (wanted.host && process.endpoint == wanted.programs() - 1);
    return reads ? &parts_.input : nullptr;
}

bool JobBuilder::runs_beside_others() const
{
    const Configuration& wanted = kernel_.configuration;
    return wanted.job_order == JobOrder::together && wanted.job_count > 1;
}

Loaded<void> JobBuilder::make_program(UserProcess& process)
{
    const unsigned place = process.place;
    const Executable parsed = TRY(Executable::parse(program_));
    const bool anywhere = parsed.position_independent();
    const LoadOptions options{parts_.context_switch->residence(process.endpoint).shared,
                              anywhere ? image_window(place) : fixed_window, stack_low(place),
                              stack_top(place)};
    const parley_start start = start_info(process);
    const std::uint64_t seed = process.endpoint + 1;
    const StartedProgram program = TRY(start_program(
        *process.domain, program_, options,
        {std::span(arguments_).first(argument_count_), start, seed, kernel_.configuration.table}, scratch_));
    process.entry = program.entry;
    process.stack_pointer = program.stack_pointer;
    parts_.programs[process.endpoint]->load(
        {*process.domain, process, parts_.files, parts_.sink, input_of(process), program.heap_start,
         anywhere ? heap_limit(place) : UserAddress{fixed_window.end}, stack_bytes, seed,
         job_.configuration().tag ? process.node : LineOutput::no_tag,
         runs_beside_others() ? job_.configuration().name : std::string_view()});
    return {};
}

} // namespace parley::kernel
