// SPDX-License-Identifier: MIT
#include "kernel/job/program_maker.hpp"

#include "base/text.hpp"
#include "kernel/job/job.hpp"
#include "kernel/job/words.hpp"
#include "kernel/report/console.hpp"

namespace parley::kernel {

namespace {

// Fortran's texts end in blanks.
std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    return text;
}

// As it was given, or, since folders of another machine mean nothing here, by its last name.
std::span<const std::byte> find_program(const Archive& archive, std::string_view file)
{
    std::string_view last = file;
    last.remove_prefix(file.rfind('/') + 1); // nothing, when there is no folder
    const std::string_view names[] = {file, last};
    for (const std::string_view name : names) {
        for (const std::string_view folder : {std::string_view("bin/"), std::string_view("files/")}) {
            Text<300> path;
            path << folder << name;
            if (const auto found = archive.find(path.view()))
                return found->bytes;
        }
    }
    return {};
}

} // namespace

ProgramMaker::ProgramMaker(Job& job, std::string_view words, int pid) : job_(job), pid_(pid)
{
    const std::string_view name = before_zero(words);
    file_ = trimmed(name);
    words.remove_prefix(name.size());
    rest_ = words;
    program_ = find_program(job.archive(), file_);
}

Result<void> ProgramMaker::make(unsigned endpoint)
{
    if (program_.empty()) {
        refusal_ = "there is no such program: put it beside the host's, or into the FILES folder";
        return std::unexpected(Error::not_found);
    }
    const Loaded<void> loaded = job_.load(job_.processes()[endpoint], program_, file_, rest_);
    if (loaded)
        return {};
    refusal_ = loaded.error().sentence;
    return std::unexpected(loaded.error().error);
}

Result<void> ProgramMaker::open(unsigned endpoint)
{
    TRY_VOID(job_.messages().set_pid(endpoint, pid_));
    job_.messages().open(endpoint);
    return {};
}

void ProgramMaker::tell_refusal() const
{
    if (refusal_.empty())
        return;
    Text<400> line;
    line << "parley: job " << job_.configuration().name << ": load(\"" << file_ << "\"): " << refusal_
         << '\n';
    console().write(line.view());
}

} // namespace parley::kernel
