// SPDX-License-Identifier: MIT
#include "kernel/program/program.hpp"

#include "base/text.hpp"
#include "interface/limits.h"

#include <algorithm>
#include <array>

namespace parley::kernel {

namespace {

Loaded<void> map_stack(AddressSpace& space, const LoadOptions& options)
{
    constexpr std::string_view no_room = "there is no room for the stack";
    const UserAddress guard{options.stack_low.value - page_bytes};
    const std::size_t bytes = options.stack_top.value - options.stack_low.value;
    TRY(explain(space.map(guard, page_bytes, Protection::none, Replace::no), no_room));
    TRY(explain(space.map(options.stack_low, bytes, Protection::read_write, Replace::no), no_room));
    return {};
}

} // namespace

Loaded<StartedProgram> start_program(AddressSpace& space, std::span<const std::byte> file,
                                     const LoadOptions& options, const ProgramTexts& texts,
                                     std::span<std::byte> scratch)
{
    const Executable executable = TRY(Executable::parse(file));
    if (options.shared_space && !executable.position_independent())
        return refuse("this program is linked at a fixed address and cannot share one domain; "
                      "link it with -static-pie (the wrappers do)");
    const LoadedImage image = TRY(executable.load(space, options.window));
    TRY_VOID(map_stack(space, options));
    Text<PARLEY_MAX_LOOPS_TEXT + 16> loops;
    loops << "PARLEY_LOOPS=" << texts.loops;
    const std::span<const std::string_view> standard = standard_environment(texts.table_follows);
    std::array<std::string_view, 16> environment;
    const auto end = std::copy(standard.begin(), standard.end(), environment.begin());
    *end = loops.view();
    const StackContents contents{.arguments = texts.arguments,
                                 .environment =
                                     std::span(environment).first(standard.size() + !texts.loops.empty()),
                                 .image = image,
                                 .start = texts.start,
                                 .seed = texts.seed};
    const UserAddress stack = TRY(build_stack(space, options.stack_top, contents, scratch));
    return StartedProgram{image.entry, stack, image.end};
}

} // namespace parley::kernel
