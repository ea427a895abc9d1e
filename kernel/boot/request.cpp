// SPDX-License-Identifier: MIT
// Boot steps: what the machine is asked to do.
#include "base/text.hpp"
#include "kernel/boot/steps.hpp"

#include <algorithm>

namespace parley::kernel {

namespace {

// A refusal's sentence outlives the step that makes it.
constinit char sentence_memory[512];

StepResult refuse_line(const ConfigurationError& error)
{
    TextWriter sentence(sentence_memory);
    if (error.line != 0)
        sentence << "parley.conf, line " << error.line << ": ";
    else
        sentence << "command line: ";
    sentence << '"' << error.word << "\": " << error.sentence;
    return refuse(sentence.view(), Error::bad_argument);
}

} // namespace

StepResult open_archive(Kernel& kernel)
{
    const arch::MemoryRange& module = kernel.boot.module;
    if (module.start == module.end)
        return refuse("there is no archive; give one with -initrd, or module2 in GRUB", Error::not_found);
    const auto* bytes = arch::to_pointer<const std::byte>(module.start);
    const Loaded<Archive> archive = Archive::open({bytes, module.end.value - module.start.value});
    if (!archive)
        return std::unexpected(archive.error());
    kernel.archive = *archive;
    return {};
}

StepResult read_request(Kernel& kernel)
{
    if (const auto file = kernel.archive.find("parley.conf")) {
        if (const Configured done = read_configuration(kernel.configuration, as_text(file->bytes)); !done)
            return refuse_line(done.error());
    }
    if (const Configured done = apply_command_line(kernel.configuration, kernel.boot.command_line); !done)
        return refuse_line(done.error());
    const unsigned wanted = kernel.configuration.processors;
    if (wanted > kernel.machine.processors) {
        TextWriter sentence(sentence_memory);
        sentence << wanted << " processors are asked for, the machine has " << kernel.machine.processors
                 << "; boot with processors=" << kernel.machine.processors;
        return refuse(sentence.view(), Error::bad_argument);
    }
    const unsigned count = wanted != 0 ? wanted : kernel.machine.processors;
    kernel.processors.set_count(std::min<unsigned>(count, arch::max_processors));
    return {};
}

} // namespace parley::kernel
