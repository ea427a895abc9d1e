// SPDX-License-Identifier: MIT
// Calls on open files. Bytes pass through the process's bounce buffer, since user memory may fault and the
// file store is locked while it copies.
#include "kernel/program/linux_calls/calls.hpp"

#include <algorithm>

namespace parley::kernel::linux_calls {

namespace {

constexpr std::size_t max_transfer = 0x7fff'f000; // what Linux moves at most in one call
constexpr long fcntl_duplicate = 0, fcntl_get_descriptor = 1, fcntl_set_descriptor = 2, fcntl_get_flags = 3,
               fcntl_set_flags = 4, fcntl_duplicate_close_on_exec = 1030;
constexpr long max_vectors = 1024;

struct Vector {
    std::uint64_t start;
    std::uint64_t bytes;
};

// Runs `move(piece, done)` for pieces of the transfer until one is short or fails. What was moved before
// counts.
template <class Move>
LinuxValue in_pieces(Personality& personality, std::size_t bytes, Move move)
{
    bytes = std::min(bytes, max_transfer);
    std::size_t done = 0;
    do {
        const auto piece = personality.bounce().first(std::min(personality.bounce().size(), bytes - done));
        const LinuxValue moved = move(piece, done);
        if (moved < 0)
            return done == 0 ? moved : static_cast<LinuxValue>(done);
        done += static_cast<std::size_t>(moved);
        if (static_cast<std::size_t>(moved) < piece.size())
            break;
    } while (done < bytes && personality.control().preemption_point());
    return static_cast<LinuxValue>(done);
}

// `source(piece, done)` gives bytes, which go to user memory.
template <class Source>
LinuxValue to_user(Personality& personality, UserAddress to, std::size_t bytes, Source source)
{
    return in_pieces(personality, bytes, [&](std::span<std::byte> piece, std::size_t done) -> LinuxValue {
        const LinuxValue got = source(piece, done);
        if (got <= 0)
            return got;
        const auto copied = copy_to_user(to + done, piece.data(), static_cast<std::size_t>(got));
        return copied ? got : linux_value(copied.error());
    });
}

template <class Sink>
LinuxValue from_user(Personality& personality, UserAddress from, std::size_t bytes, Sink sink)
{
    return in_pieces(personality, bytes, [&](std::span<std::byte> piece, std::size_t done) -> LinuxValue {
        const auto copied = copy_from_user(piece.data(), from + done, piece.size());
        return copied ? sink(piece, done) : linux_value(copied.error());
    });
}

LinuxValue read_one(Personality& personality, long descriptor, UserAddress to, std::size_t bytes)
{
    return to_user(personality, to, bytes, [&](std::span<std::byte> piece, std::size_t) {
        return personality.files().read(descriptor, piece);
    });
}

LinuxValue write_one(Personality& personality, long descriptor, UserAddress from, std::size_t bytes)
{
    return from_user(personality, from, bytes, [&](std::span<const std::byte> piece, std::size_t) {
        return personality.files().write(descriptor, piece);
    });
}

using One = LinuxValue (*)(Personality&, long descriptor, UserAddress, std::size_t bytes);

Result<Vector> vector_at(long vectors, long index)
{
    return read_user<Vector>(address(vectors) + static_cast<std::size_t>(index) * sizeof(Vector));
}

// Linux looks at all lengths before it moves a byte: their sum must be a value that a call can have.
LinuxValue check_vectors(long vectors, long count)
{
    if (count < 0 || count > max_vectors)
        return linux_error::invalid;
    std::uint64_t sum = 0;
    for (long index = 0; index < count; ++index) {
        const auto vector = vector_at(vectors, index);
        if (!vector)
            return linux_value(vector.error());
        if (vector->bytes > INT64_MAX || (sum += vector->bytes) > INT64_MAX)
            return linux_error::invalid;
    }
    return 0;
}

LinuxValue each_vector(Personality& personality, Arguments arguments, One one)
{
    LinuxValue done = 0;
    if (const LinuxValue wrong = check_vectors(arguments[1], integer(arguments[2])); wrong < 0)
        return wrong;
    for (long index = 0; index < integer(arguments[2]); ++index) {
        const auto vector = vector_at(arguments[1], index);
        const LinuxValue moved = vector
                                     ? one(personality, integer(arguments[0]), {vector->start}, vector->bytes)
                                     : linux_value(vector.error());
        if (moved < 0)
            return done == 0 ? moved : done;
        done += moved;
        if (static_cast<std::uint64_t>(moved) < vector->bytes)
            break;
    }
    return done;
}

} // namespace

LinuxValue read(Personality& personality, Arguments arguments)
{
    return read_one(personality, integer(arguments[0]), address(arguments[1]),
                    static_cast<std::size_t>(arguments[2]));
}

LinuxValue write(Personality& personality, Arguments arguments)
{
    return write_one(personality, integer(arguments[0]), address(arguments[1]),
                     static_cast<std::size_t>(arguments[2]));
}

LinuxValue readv(Personality& personality, Arguments arguments)
{
    return each_vector(personality, arguments, read_one);
}
LinuxValue writev(Personality& personality, Arguments arguments)
{
    return each_vector(personality, arguments, write_one);
}

LinuxValue pread64(Personality& personality, Arguments arguments)
{
    if (arguments[3] < 0)
        return linux_error::invalid;
    const auto offset = static_cast<std::size_t>(arguments[3]);
    return to_user(personality, address(arguments[1]), static_cast<std::size_t>(arguments[2]),
                   [&](std::span<std::byte> piece, std::size_t done) {
                       return personality.files().read_at(integer(arguments[0]), offset + done, piece);
                   });
}

LinuxValue pwrite64(Personality& personality, Arguments arguments)
{
    if (arguments[3] < 0)
        return linux_error::invalid;
    const auto offset = static_cast<std::size_t>(arguments[3]);
    return from_user(personality, address(arguments[1]), static_cast<std::size_t>(arguments[2]),
                     [&](std::span<const std::byte> piece, std::size_t done) {
                         return personality.files().write_at(integer(arguments[0]), offset + done, piece);
                     });
}

LinuxValue lseek(Personality& personality, Arguments arguments)
{
    return personality.files().seek(integer(arguments[0]), arguments[1], static_cast<Seek>(arguments[2]));
}

LinuxValue ftruncate(Personality& personality, Arguments arguments)
{
    return personality.files().resize(integer(arguments[0]), arguments[1]);
}

LinuxValue close(Personality& personality, Arguments arguments)
{
    return personality.files().close(integer(arguments[0]));
}

LinuxValue dup(Personality& personality, Arguments arguments)
{
    return personality.files().duplicate(integer(arguments[0]), 0);
}

LinuxValue dup2(Personality& personality, Arguments arguments)
{
    return personality.files().duplicate_to(integer(arguments[0]), integer(arguments[1]));
}

LinuxValue dup3(Personality& personality, Arguments arguments)
{
    if (integer(arguments[0]) == integer(arguments[1]) ||
        (integer(arguments[2]) & ~open_flag::close_on_exec) != 0)
        return linux_error::invalid;
    return dup2(personality, arguments);
}

LinuxValue fcntl(Personality& personality, Arguments arguments)
{
    OpenFiles& files = personality.files();
    const LinuxValue flags = files.flags(integer(arguments[0]));
    if (flags < 0)
        return flags;
    switch (integer(arguments[1])) {
    case fcntl_duplicate:
    case fcntl_duplicate_close_on_exec:
        return integer(arguments[2]) < 0
                   ? linux_error::invalid
                   : files.duplicate(integer(arguments[0]), static_cast<std::size_t>(integer(arguments[2])));
    case fcntl_get_descriptor:
    case fcntl_set_descriptor: return 0; // closing at exec: there is none
    case fcntl_set_flags: return files.set_flags(integer(arguments[0]), arguments[2]);
    case fcntl_get_flags: return flags;
    default: return linux_error::invalid;
    }
}

// No descriptor is a terminal.
LinuxValue ioctl(Personality& personality, Arguments arguments)
{
    const LinuxValue flags = personality.files().flags(integer(arguments[0]));
    return flags < 0 ? flags : linux_error::not_terminal;
}

} // namespace parley::kernel::linux_calls
