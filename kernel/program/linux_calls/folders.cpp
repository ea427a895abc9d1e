// SPDX-License-Identifier: MIT
// Calls about folders and names. A folder exists by the files in it: making one needs no more than that
// nothing else has its name, and it may be entered before there is a file in it.
#include "kernel/program/linux_calls/calls.hpp"
#include "kernel/program/linux_calls/user_text.hpp"

#include <cstring>

namespace parley::kernel::linux_calls {

namespace {

std::expected<Path, LinuxValue> path_argument(Personality& personality, long argument)
{
    const auto text = UserText::fetch(address(argument));
    if (!text)
        return std::unexpected(text.error());
    return personality.files().resolve(text->view());
}

// 0 when the file or folder is there.
LinuxValue presence(Personality& personality, long argument)
{
    const auto path = path_argument(personality, argument);
    if (!path)
        return path.error();
    const FileKind kind = personality.files().store().status(path->view()).kind;
    if (kind == FileKind::beyond_file)
        return linux_error::not_directory;
    return kind == FileKind::none ? linux_error::no_entry : 0;
}

LinuxValue rename_path(Personality& personality, long from, long to)
{
    const auto path = path_argument(personality, from);
    if (!path)
        return path.error();
    const auto wanted = path_argument(personality, to);
    return wanted ? personality.files().store().rename(path->view(), wanted->view()) : wanted.error();
}

} // namespace

LinuxValue getcwd(Personality& personality, Arguments arguments)
{
    const std::string_view folder = personality.files().folder();
    char text[Path::max_bytes + 2] = {'/'};
    std::memcpy(text + 1, folder.data(), folder.size());
    const std::size_t bytes = folder.size() + 2;
    if (static_cast<std::size_t>(arguments[1]) < bytes)
        return linux_error::range;
    const LinuxValue written = linux_value(copy_to_user(address(arguments[0]), text, bytes));
    return written < 0 ? written : static_cast<LinuxValue>(bytes);
}

LinuxValue chdir(Personality& personality, Arguments arguments)
{
    const auto text = UserText::fetch(address(arguments[0]));
    return text ? personality.files().change_folder(text->view()) : text.error();
}

LinuxValue mkdir(Personality& personality, Arguments arguments)
{
    const LinuxValue present = presence(personality, arguments[0]);
    return present == 0 ? linux_error::exists : present == linux_error::no_entry ? 0 : present;
}

LinuxValue rmdir(Personality& personality, Arguments arguments)
{
    const auto path = path_argument(personality, arguments[0]);
    if (!path)
        return path.error();
    const FileKind kind = personality.files().store().status(path->view()).kind;
    if (kind == FileKind::folder)
        return linux_error::not_empty;
    return kind == FileKind::none ? 0 : linux_error::not_directory;
}

LinuxValue rename(Personality& personality, Arguments arguments)
{
    return rename_path(personality, arguments[0], arguments[1]);
}

LinuxValue renameat(Personality& personality, Arguments arguments)
{
    return rename_path(personality, arguments[1], arguments[3]);
}

LinuxValue renameat2(Personality& personality, Arguments arguments)
{
    return arguments[4] == 0 ? renameat(personality, arguments) : linux_error::invalid;
}

// Everybody may do everything.
LinuxValue chmod(Personality& personality, Arguments arguments)
{
    return presence(personality, arguments[0]);
}

LinuxValue truncate(Personality& personality, Arguments arguments)
{
    const auto text = UserText::fetch(address(arguments[0]));
    if (!text)
        return text.error();
    const LinuxValue descriptor = personality.files().open(text->view(), open_flag::write_only);
    if (descriptor < 0)
        return descriptor;
    const LinuxValue done = personality.files().resize(descriptor, arguments[1]);
    personality.files().close(descriptor);
    return done;
}

// Nothing is ever behind.
LinuxValue fsync(Personality& personality, Arguments arguments)
{
    const auto status = personality.files().status(integer(arguments[0]));
    return status ? 0 : status.error();
}

LinuxValue fdatasync(Personality& personality, Arguments arguments) { return fsync(personality, arguments); }
LinuxValue sync(Personality&, Arguments) { return 0; }

} // namespace parley::kernel::linux_calls
