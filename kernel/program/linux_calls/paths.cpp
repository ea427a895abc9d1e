// SPDX-License-Identifier: MIT
// Calls that name a file. Descriptors of folders do not exist.
#include "kernel/program/linux_calls/calls.hpp"
#include "kernel/program/linux_calls/user_text.hpp"

namespace parley::kernel::linux_calls {

namespace {

constexpr long at_working_directory = -100, at_empty_path = 0x1000, at_remove_folder = 0x200;
constexpr long may_execute = 1;
constexpr unsigned mode_regular = 0100644, mode_folder = 0040755, mode_device = 0020666, mode_pipe = 0010600;
// Device numbers: output is a pseudo terminal, so that the C library sends each line as it is complete
// (isatty, which asks by ioctl, is still answered with no), and /dev/null.
constexpr std::uint64_t device_output = 136 << 8, device_null = 1 << 8 | 3;

struct LinuxStat {
    std::uint64_t device = 1;
    std::uint64_t number = 0;
    std::uint64_t links = 1;
    std::uint32_t mode = 0;
    std::uint32_t user = 0;
    std::uint32_t group = 0;
    std::uint32_t padding = 0;
    std::uint64_t special_device = 0;
    std::int64_t bytes = 0;
    std::int64_t block_bytes = 4096;
    std::int64_t blocks = 0; // of 512 bytes
    std::uint64_t times[6] = {};
    std::int64_t unused[3] = {};
};

LinuxStat stat_of(const FileStatus& file)
{
    LinuxStat stat;
    stat.number = file.number;
    stat.mode = file.kind == FileKind::folder ? mode_folder : mode_regular;
    stat.bytes = static_cast<std::int64_t>(file.bytes);
    stat.blocks = static_cast<std::int64_t>((file.bytes + 511) / 512);
    return stat;
}

LinuxStat stat_of(const OpenStatus& open)
{
    if (open.stream == Stream::file)
        return stat_of(open.file);
    LinuxStat stat;
    stat.mode = open.stream == Stream::input ? mode_pipe : mode_device;
    if (open.stream == Stream::output || open.stream == Stream::error)
        stat.special_device = device_output;
    else if (open.stream == Stream::null)
        stat.special_device = device_null;
    return stat;
}

LinuxValue status_error(FileKind kind)
{
    return kind == FileKind::none ? linux_error::no_entry : linux_error::not_directory;
}

// The status of an existing file or folder.
std::expected<FileStatus, LinuxValue> find(Personality& personality, std::string_view text)
{
    const auto path = personality.files().resolve(text);
    if (!path)
        return std::unexpected(path.error());
    const FileStatus status = personality.files().store().status(path->view());
    if (status.kind != FileKind::regular && status.kind != FileKind::folder)
        return std::unexpected(status_error(status.kind));
    return status;
}

// A path argument, which must not be relative to a folder's descriptor.
std::expected<UserText, LinuxValue> path_at(long folder, long argument)
{
    auto text = UserText::fetch(address(argument));
    if (text && folder != at_working_directory && !text->view().empty() && !text->view().starts_with('/'))
        return std::unexpected(linux_error::bad_file);
    return text;
}

LinuxValue open_path(Personality& personality, const std::expected<UserText, LinuxValue>& text, long flags)
{
    return text ? personality.files().open(text->view(), flags) : text.error();
}

LinuxValue stat_path(Personality& personality, std::string_view text, UserAddress to)
{
    if (text == "/dev/null")
        return answer<144>(to, stat_of(OpenStatus{Stream::null, {}}));
    const auto status = find(personality, text);
    return status ? answer<144>(to, stat_of(*status)) : status.error();
}

LinuxValue stat_open(Personality& personality, long descriptor, UserAddress to)
{
    const auto status = personality.files().status(descriptor);
    return status ? answer<144>(to, stat_of(*status)) : status.error();
}

LinuxValue unlink_path(Personality& personality, const std::expected<UserText, LinuxValue>& text)
{
    if (!text)
        return text.error();
    const auto path = personality.files().resolve(text->view());
    return path ? personality.files().store().unlink(path->view()) : path.error();
}

LinuxValue access_path(Personality& personality, const std::expected<UserText, LinuxValue>& text, long mode)
{
    if (!text)
        return text.error();
    const auto status = find(personality, text->view());
    if (!status)
        return status.error();
    return (mode & may_execute) != 0 && status->kind == FileKind::regular ? linux_error::access : 0;
}

// There are no links.
LinuxValue read_link(Personality& personality, const std::expected<UserText, LinuxValue>& text)
{
    if (!text)
        return text.error();
    const auto status = find(personality, text->view());
    return status ? linux_error::invalid : status.error();
}

} // namespace

LinuxValue open(Personality& personality, Arguments arguments)
{
    return open_path(personality, UserText::fetch(address(arguments[0])), arguments[1]);
}

LinuxValue creat(Personality& personality, Arguments arguments)
{
    constexpr long flags = open_flag::create | open_flag::write_only | open_flag::truncate;
    return open_path(personality, UserText::fetch(address(arguments[0])), flags);
}

LinuxValue openat(Personality& personality, Arguments arguments)
{
    return open_path(personality, path_at(integer(arguments[0]), arguments[1]), arguments[2]);
}

LinuxValue fstat(Personality& personality, Arguments arguments)
{
    return stat_open(personality, integer(arguments[0]), address(arguments[1]));
}

LinuxValue stat(Personality& personality, Arguments arguments)
{
    const auto text = UserText::fetch(address(arguments[0]));
    return text ? stat_path(personality, text->view(), address(arguments[1])) : text.error();
}

LinuxValue lstat(Personality& personality, Arguments arguments) { return stat(personality, arguments); }

LinuxValue newfstatat(Personality& personality, Arguments arguments)
{
    const auto text = path_at(integer(arguments[0]), arguments[1]);
    if (!text)
        return text.error();
    if (text->view().empty() && (arguments[3] & at_empty_path) != 0 &&
        integer(arguments[0]) != at_working_directory)
        return stat_open(personality, integer(arguments[0]), address(arguments[2]));
    return stat_path(personality, text->view(), address(arguments[2]));
}

LinuxValue access(Personality& personality, Arguments arguments)
{
    return access_path(personality, UserText::fetch(address(arguments[0])), arguments[1]);
}

LinuxValue faccessat(Personality& personality, Arguments arguments)
{
    return access_path(personality, path_at(integer(arguments[0]), arguments[1]), arguments[2]);
}

LinuxValue unlink(Personality& personality, Arguments arguments)
{
    return unlink_path(personality, UserText::fetch(address(arguments[0])));
}

LinuxValue unlinkat(Personality& personality, Arguments arguments)
{
    if ((arguments[2] & at_remove_folder) != 0)
        return linux_error::not_permitted; // folders exist by their files only
    return unlink_path(personality, path_at(integer(arguments[0]), arguments[1]));
}

LinuxValue readlink(Personality& personality, Arguments arguments)
{
    return read_link(personality, UserText::fetch(address(arguments[0])));
}

LinuxValue readlinkat(Personality& personality, Arguments arguments)
{
    return read_link(personality, path_at(integer(arguments[0]), arguments[1]));
}

LinuxValue umask(Personality& personality, Arguments arguments)
{
    const unsigned old = personality.program().file_mask;
    personality.program().file_mask = static_cast<unsigned>(arguments[0]) & 0777;
    return static_cast<LinuxValue>(old);
}

} // namespace parley::kernel::linux_calls
