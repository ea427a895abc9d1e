// SPDX-License-Identifier: MIT
#include "kernel/job/job_builder.hpp"

#include "base/text.hpp"
#include "kernel/job/cluster_pages.hpp"
#include "kernel/job/coloured_pages.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/process/occupation/policy_process.hpp"

namespace parley::kernel {

// Messages and shared blocks may take a quarter of the job's memory each unless the job says otherwise.
std::size_t JobBuilder::budget() const
{
    const std::uint64_t quarter = memory_.share().bytes / 4;
    const std::uint64_t asked = job_.configuration().budget_bytes;
    return round_up(asked != 0 ? asked : quarter, page_bytes);
}

Loaded<void> JobBuilder::check_share() const
{
    const Share& share = memory_.share();
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
    return refuse_with(text.view(), memory_.window());
}

Loaded<SemaphoreKinds> JobBuilder::make_semaphore_kinds(const JobChoices& choices,
                                                        const JobFactors& factors) const
{
    return explain(SemaphoreKinds::create(memory_.window(), kernel_.timers, kernel_.hooks.disk, choices,
                                          job_.number(), job_.configuration().programs(),
                                          factors.endpoints()),
                   too_little_memory);
}

// What a job on several machines cannot have.
Loaded<void> JobBuilder::check_network(const JobFactors& factors, const SemaphoreKinds& kinds) const
{
    const JobConfiguration& wanted = job_.configuration();
    const messaging::DesignTraits traits = messaging::traits_of(factors.design());
    const unsigned machines = kernel_.machines->count();
    if (factors.in_domains() > wanted.programs())
        return refuse("its nodes are on several machines, whose cards only the kernel reaches: it needs "
                      "location=kernel",
                      Error::bad_argument);
    if (kinds.policy_processes() != 0 || !traits.semaphores.empty())
        return refuse(
            "its nodes are on several machines, where nobody waits by a policy module: take another "
            "synchronization, and SEMAPHORE=kernel",
            Error::bad_argument);
    if (traits.writes_to_receivers)
        return refuse(
            "its nodes are on several machines, and what carries messages between them writes to no "
            "receiver: take another transfer, as transfer=double-copy",
            Error::bad_argument);
    if (wanted.host)
        return refuse("a host program loads nodes of one machine alone: leave out BOOTS=",
                      Error::bad_argument);
    if (kernel_.configuration.job_order == JobOrder::together && kernel_.configuration.job_count > 1)
        return refuse("on several machines one job runs at a time: say JOBS=sequential", Error::bad_argument);
    if (wanted.nodes < machines)
        return refuse("it has fewer nodes than there are machines: take more (NODES=), or fewer (BOOTS=)",
                      Error::bad_argument);
    return {};
}

Loaded<JobNetwork*> JobBuilder::make_network(const JobFactors& factors, const SemaphoreKinds& kinds) const
{
    if (kernel_.machines == nullptr)
        return nullptr;
    TRY_VOID(check_network(factors, kinds));
    return explain(JobNetwork::create(memory_.window(), *kernel_.machines, job_, job_.configuration().nodes,
                                      job_.configuration().pids),
                   too_little_memory);
}

// How many of its helpers stand for devices, and run where no program does.
unsigned JobBuilder::devices(const JobFactors& factors) const
{
    const messaging::DesignTraits traits = messaging::traits_of(factors.design());
    return traits.helpers_are_devices && kernel_.processors.has_service_processor() ? traits.helpers : 0;
}

Loaded<JobSchedule> JobBuilder::make_schedule(const JobFactors& factors, const SemaphoreKinds& kinds) const
{
    const JobConfiguration& wanted = job_.configuration();
    const messaging::Design& design = factors.design();
    const unsigned away = job_.programs_elsewhere();
    const unsigned members = factors.endpoints() - away - devices(factors) + kinds.policy_processes();
    const ScheduleWish wish{.schedule = wanted.schedule,
                            .policy = kernel_.configuration.gang_policy,
                            .shared_ready_queue = design.shared_ready_queue,
                            .least_processors = messaging::least_processors(design, members),
                            .independent = wanted.host || wanted.pids > 1,
                            .programs = wanted.programs() - away,
                            .members = members,
                            .processors = kernel_.processors.count()};
    return JobSchedule::create(memory_.window(), wish,
                               {kernel_.processors.servers(), kernel_.queues.scheduler(),
                                kernel_.queues.urgent(), kernel_.queues.service()});
}

Loaded<JobPrograms*> JobBuilder::make_programs() const
{
    return JobPrograms::create(memory_.window(), kernel_.configuration, job_.number(), kernel_.archive);
}

Loaded<void> JobBuilder::fill_memory(const JobFactors& factors, const SemaphoreKinds& kinds) const
{
    const std::size_t system = factors.system_home().region_bytes(budget(), factors.endpoints());
    TRY_VOID(explain(memory_.make_region(system + factors.trace_bytes() + PARLEY_SEMAPHORE_AREA),
                     too_little_memory));
    if (kernel_.hooks.pages != nullptr)
        memory_.region()->place_pages(
            *TRY(kernel_.hooks.pages->shared_placement(job_.configuration(), memory_.window())));
    if (kernel_.configuration.colours != 0)
        memory_.region()->place_pages(*TRY(explain(
            memory_.window().create<ColouredRegion>(kernel_.configuration.colours), too_little_memory)));
    kinds.semaphores().lie_in(*memory_.region());
    const unsigned domains = factors.residency().domains_for(in_domains(factors));
    TRY_VOID(explain(memory_.make_room_for_domains(domains), too_little_memory));
    for (unsigned i = 0; i < domains; ++i) {
        Domain& domain = *TRY(explain(memory_.make_domain(), too_little_memory));
        if (kinds.policy_processes() != 0)
            domain.track_writes();
        TRY_VOID(place_pages(domain, i));
        factors.residency().equip(domain);
        TRY_VOID(factors.system_home().equip(domain, kernel_.archive));
    }
    return {};
}

// `process`: whose domain it is, where that has it to itself.
Loaded<void> JobBuilder::place_pages(Domain& domain, unsigned process) const
{
    if (kernel_.configuration.clusters.memory_bytes != 0)
        domain.place_pages(
            *TRY(explain(memory_.window().create<ClusterPages>(kernel_.configuration.clusters,
                                                               kernel_.processors.count(), process),
                         too_little_memory)));
    if (kernel_.configuration.colours != 0)
        domain.place_pages(*TRY(explain(memory_.window().create<ColouredPages>(kernel_.configuration.colours),
                                        too_little_memory)));
    if (kernel_.hooks.pages == nullptr)
        return {};
    domain.place_pages(*TRY(kernel_.hooks.pages->placement(job_.configuration(), memory_.window(), process)));
    return {};
}

Loaded<JobProcesses> JobBuilder::make_processes(const JobFactors& factors, const SemaphoreKinds& kinds,
                                                const JobSchedule& schedule) const
{
    Window& window = memory_.window();
    const unsigned nodes = job_.configuration().nodes;
    const unsigned on_nodes = nodes * job_.configuration().pids;
    const unsigned count = factors.endpoints() + kinds.policy_processes();
    const std::size_t list_bytes = count * sizeof(UserProcess*);
    auto* const lists = reinterpret_cast<UserProcess**>(
        TRY(explain(window.allocate(2 * list_bytes, alignof(UserProcess*)), too_little_memory)));
    const std::span<UserProcess*> list(lists, count);
    std::size_t here = 0;
    for (unsigned i = 0; i < count; ++i) {
        UserProcess& process = *TRY(
            explain(window.create<UserProcess>(job_, i, static_cast<int>(i < on_nodes ? i % nodes : nodes)),
                    too_little_memory));
        process.execution.kernel_stack =
            TRY(explain(window.stack(arch::kernel_stack_bytes), too_little_memory));
        process.label = (job_.number() + 1) << 16 | i;
        list[i] = &process;
        if (job_.is_elsewhere(i))
            continue;
        lists[count + here++] = &process;
        if (i >= job_.configuration().programs() && i < job_.configuration().programs() + devices(factors))
            schedule.admit_device(process);
        else if (i < factors.endpoints())
            schedule.admit(process);
        else
            schedule.admit_policy_process(process);
    }
    return JobProcesses(list, std::span<UserProcess* const>(lists + count, here),
                        job_.configuration().programs(), factors.endpoints());
}

Loaded<jobs::Roster*> JobBuilder::make_roster(unsigned processes) const
{
    using ProgramEntry = jobs::Roster::ProgramEntry;
    Window& window = memory_.window();
    std::byte* const memory = TRY(
        explain(window.allocate(processes * sizeof(ProgramEntry), alignof(ProgramEntry)), too_little_memory));
    auto* const entries = reinterpret_cast<ProgramEntry*>(memory);
    for (unsigned i = 0; i < processes; ++i)
        ::new (&entries[i]) ProgramEntry;
    const JobConfiguration& job = job_.configuration();
    return explain(
        window.create<jobs::Roster>(messaging::Layout{.nodes = job.nodes, .pids = job.pids, .host = job.host},
                                    std::span<ProgramEntry>(entries, processes)),
        too_little_memory);
}

Loaded<JobMessageSystem*> JobBuilder::make_messages(const JobFactors& factors) const
{
    const JobConfiguration& wanted = job_.configuration();
    const messaging::SharedRange blocks{
        PARLEY_SHARED_BASE, memory_.region()->bytes() - factors.trace_bytes() - PARLEY_SEMAPHORE_AREA};
    return factors.system_home().make_messages(
        {.options = {factors.design(), wanted.nodes, wanted.pids, blocks, wanted.host,
                     job_.network() != nullptr ? job_.network()->setting() : 0},
         .endpoints = factors.endpoints(),
         .budget = budget(),
         .window = memory_.window(),
         .shared = *memory_.region()});
}

Loaded<std::span<std::uint32_t>> JobBuilder::make_watch_words(const JobFactors& factors) const
{
    const std::size_t words = WaitMonitor::words_each * std::size_t{factors.endpoints()};
    std::byte* const memory = TRY(explain(
        memory_.window().allocate(words * sizeof(std::uint32_t), alignof(std::uint32_t)), too_little_memory));
    return std::span(reinterpret_cast<std::uint32_t*>(memory), words);
}

Loaded<void> JobBuilder::occupy(const JobProcesses& processes, const JobFactors& factors,
                                JobMessageSystem& messages, JobPrograms& programs,
                                const StartInfo& start_info) const
{
    for (unsigned i = 0; i < processes.endpoints(); ++i) {
        UserProcess& process = processes[i];
        const bool runs_programs = i < processes.programs();
        if (!job_.is_elsewhere(process.endpoint()))
            messages.introduce(process);
        process.make_proxies();
        move_in(process, factors);
        process.name = runs_programs ? "program" : "delivery";
        const std::size_t before = memory_.frames().held();
        TRY_VOID(runs_programs ? give_program(process, programs, start_info)
                               : factors.system_home().make_helper(process, start_info.of(process)));
        if (i == 0)
            TRY_VOID(check_room(memory_.frames().held() - before, processes.programs() - 1));
    }
    for (unsigned i = processes.endpoints(); i < processes.size(); ++i) {
        processes[i].take_up(policy_process);
        processes[i].name = "policy";
    }
    return {};
}

// The helper of a job on several machines stays in the kernel, and reaches by a domain what programs share.
unsigned JobBuilder::in_domains(const JobFactors& factors) const
{
    return factors.in_domains() + (job_.network() != nullptr ? 1 : 0);
}

void JobBuilder::move_in(UserProcess& process, const JobFactors& factors) const
{
    if (process.endpoint() >= in_domains(factors))
        return;
    const Residence residence = factors.residency().residence(process.endpoint());
    process.live_in(memory_.domain(residence.domain), residence.slot);
}

// What the first program took, each of the others will take at least: better said at once than when the
// machine has been filled up with them.
Loaded<void> JobBuilder::check_room(std::size_t frames_each, unsigned others) const
{
    const FrameOwner& frames = memory_.frames();
    const std::size_t wanted = frames.held() + frames_each * others;
    if (wanted <= frames.limit())
        return {};
    constexpr std::size_t frames_a_mebibyte = (1 << 20) / page_bytes;
    constexpr std::size_t step = 128;
    Text<200> sentence;
    sentence << job_.configuration().programs() << " processes need " << wanted / frames_a_mebibyte
             << " MiB, and there are " << frames.limit() / frames_a_mebibyte << "; ";
    if (job_.configuration().memory_bytes != 0) {
        sentence << "give the job more (JOB_MEMORY=)";
    } else {
        const Share& share = memory_.share();
        const std::size_t for_all = wanted * (share.for_all >> 20) / (share.bytes >> 20);
        sentence << "boot with more (MEMORY=" << round_up(for_all / frames_a_mebibyte * 5 / 4, step) + step
                 << ")";
    }
    sentence << ", or take fewer nodes (NODES=)";
    return refuse_with(sentence.view(), memory_.window());
}

// In a job with a host only the host, the last of the programs, has something to run.
Loaded<void> JobBuilder::give_program(UserProcess& process, JobPrograms& programs,
                                      const StartInfo& start_info) const
{
    TRY_VOID(programs.admit(process));
    if (job_.is_elsewhere(process.endpoint()))
        return {};
    if (job_.configuration().host && process.endpoint() + 1 != job_.configuration().programs())
        return {};
    return programs.make_first(process, start_info.of(process));
}

} // namespace parley::kernel
