// SPDX-License-Identifier: MIT
#include "kernel/job/job_programs.hpp"

#include "kernel/job/domain_slots.hpp"
#include "kernel/job/sentences.hpp"
#include "kernel/job/words.hpp"
#include "kernel/process/occupation/programs.hpp"
#include "kernel/program/machine_name.hpp"
#include "kernel/program/program.hpp"

namespace parley::kernel {

namespace {

constexpr std::size_t scratch_bytes = 16384;

} // namespace

Loaded<JobPrograms*> JobPrograms::create(Window& window, const Configuration& boot, unsigned job,
                                         const Archive& archive)
{
    JobPrograms* const programs =
        TRY(explain(window.create<JobPrograms>(window, boot, boot.jobs[job]), too_little_memory));
    TRY_VOID(programs->find_first(archive));
    TRY_VOID(programs->add_files(archive));
    const std::size_t list = programs->job_.programs() * sizeof(Programs*);
    programs->programs_ = reinterpret_cast<Programs**>(
        TRY(explain(window.allocate(list, alignof(Programs*)), too_little_memory)));
    return programs;
}

Loaded<void> JobPrograms::find_first(const Archive& archive)
{
    const auto program = archive.find(job_.app);
    if (!program)
        return refuse("the archive does not hold the program that the job asks for", Error::not_found);
    first_ = program->bytes;
    const Result<std::byte*> scratch = window_.allocate(2 * scratch_bytes, page_bytes);
    if (!scratch)
        return refuse(too_little_memory, Error::no_memory);
    scratch_ = {*scratch, scratch_bytes};
    auto* const texts = reinterpret_cast<char*>(*scratch + scratch_bytes);
    first_arguments_.words[0] = job_.app;
    const auto count =
        split_words(job_.arguments, {texts, scratch_bytes}, std::span(first_arguments_.words).subspan(1));
    if (!count)
        return refuse(count.error(), Error::bad_argument);
    first_arguments_.count = 1 + *count;
    return {};
}

Loaded<void> JobPrograms::add_files(const Archive& archive)
{
    if (const auto typed = archive.find(job_.input))
        input_.type(typed->bytes, job_.host);
    TRY_VOID(explain(files_.add_originals(archive, "files/"), too_little_memory));
    if (files_.status(hosts_path).kind != FileKind::none)
        return {};
    return explain(files_.add_original(hosts_path, std::as_bytes(std::span(hosts_text))), too_little_memory);
}

Loaded<void> JobPrograms::admit(UserProcess& process)
{
    Programs* const programs = TRY(explain(window_.create<Programs>(), too_little_memory));
    programs_[process.endpoint()] = programs;
    process.take_up(*programs);
    return {};
}

Loaded<void> JobPrograms::make_first(UserProcess& process, const parley_start& start)
{
    return make(process, start, first_, first_arguments_);
}

Loaded<void> JobPrograms::load(UserProcess& process, const parley_start& start,
                               std::span<const std::byte> program, std::string_view name,
                               std::string_view rest)
{
    Words arguments;
    arguments.words[0] = name;
    for (arguments.count = 1; !rest.empty(); ++arguments.count) {
        if (arguments.count == arguments.words.size())
            return refuse("it was given more than 63 arguments", Error::bad_argument);
        rest.remove_prefix(1);
        std::string_view& word = arguments.words[arguments.count];
        word = before_zero(rest);
        rest.remove_prefix(word.size());
    }
    return make(process, start, program, arguments);
}

// Standard input is the user's, who types to the host and to node 0.
StandardInput* JobPrograms::input_of(const UserProcess& process)
{
    const bool reads = process.endpoint() == 0 || (job_.host && process.endpoint() == job_.programs() - 1);
    return reads ? &input_ : nullptr;
}

bool JobPrograms::run_beside_others() const
{
    return boot_.job_order == JobOrder::together && boot_.job_count > 1;
}

Loaded<void> JobPrograms::make(UserProcess& process, const parley_start& start,
                               std::span<const std::byte> program, const Words& arguments)
{
    const unsigned slot = process.domain_slot();
    const Executable parsed = TRY(Executable::parse(program));
    const bool anywhere = parsed.position_independent();
    const bool alone = slot == 0; // in its domain
    const LoadOptions options{!alone, anywhere ? image_window(slot) : fixed_window, stack_low(slot),
                              stack_top(slot)};
    const std::uint64_t seed = process.endpoint() + 1;
    const StartedProgram started = TRY(start_program(
        *process.domain(), program, options,
        {std::span(arguments.words).first(arguments.count), start, seed, boot_.table, job_.loops}, scratch_));
    process.begin_at(started.entry, started.stack_pointer);
    programs_[process.endpoint()]->load({*process.domain(), process, files_, sink_, input_of(process),
                                         started.heap_start,
                                         anywhere ? heap_limit(slot) : UserAddress{fixed_window.end},
                                         stack_bytes, seed, job_.tag ? process.node() : LineOutput::no_tag,
                                         run_beside_others() ? job_.name : std::string_view()});
    return {};
}

} // namespace parley::kernel
