// SPDX-License-Identifier: MIT
// Where the bytes of a message are that a port carries (port.hpp: Source), and how many it carries.
#pragma once

#include "messaging/location.hpp"
#include "messaging/port.hpp"

#include "platform.hpp"

namespace parley::messaging {

// There are none.
class NoBytes final : public Source {
public:
    Result<void> fill(std::byte*) const override { return {}; }
    std::size_t bytes() const { return 0; }
};

// The bytes are in the buffer of the calling process's program.
template <class L>
class ProgramBytes final : public Source {
public:
    ProgramBytes(L& location, UserAddress from, std::size_t bytes)
        : location_(location), from_(from), bytes_(bytes)
    {
    }
    Result<void> fill(std::byte* room) const override { return location_.copy_in(room, from_, bytes_); }
    std::size_t bytes() const { return bytes_; }

private:
    L& location_;
    const UserAddress from_;
    const std::size_t bytes_;
};

// They are the packet of an Active Message, in the memory of the calling process's program.
template <class L>
class PacketBytes final : public Source {
public:
    PacketBytes(L& location, UserAddress from, std::size_t bytes)
        : location_(location), from_(from), bytes_(bytes)
    {
    }
    Result<void> fill(std::byte* room) const override
    {
        return location_.copy_packet_in(room, from_, bytes_);
    }
    std::size_t bytes() const { return bytes_; }

private:
    L& location_;
    const UserAddress from_;
    const std::size_t bytes_;
};

// The bytes are elsewhere, and the port carries their address.
class Reference final : public Source {
public:
    explicit Reference(std::byte* bytes) : bytes_(bytes) { }
    Result<void> fill(std::byte* room) const override
    {
        __builtin_memcpy(room, &bytes_, sizeof bytes_);
        return {};
    }
    std::size_t bytes() const { return sizeof bytes_; }

private:
    std::byte* const bytes_;
};

// The bytes of another source, no more than `room`, come here first. So the stores into an entry follow each
// other closely: a receiver that looks at the entry all the time takes its line back between two that do not.
// All of the room is copied, whatever lies behind the bytes.
template <std::size_t room>
class StagedBytes final : public Source {
public:
    // Errors: as Source::fill().
    Result<void> bring(const Source& source) { return source.fill(bytes_); }
    Result<void> fill(std::byte* to) const override
    {
        __builtin_memcpy(to, bytes_, room);
        return {};
    }
    std::size_t bytes() const { return room; }

private:
    alignas(8) std::byte bytes_[room];
};

// Puts a message of so few bytes by that port's put_bytes() for a source whose class is known.
template <std::size_t room, class P>
Put put_staged(P& port, unsigned caller, const Envelope& envelope, const Source& source)
{
    StagedBytes<room> staged;
    return staged.bring(source) ? port.put_bytes(caller, envelope, staged) : Put::unreadable;
}

// The bytes are in the system's own memory.
class SystemBytes final : public Source {
public:
    SystemBytes(const std::byte* from, std::size_t bytes) : from_(from), bytes_(bytes) { }
    Result<void> fill(std::byte* room) const override
    {
        platform::copy(room, from_, bytes_);
        return {};
    }
    std::size_t bytes() const { return bytes_; }

private:
    const std::byte* const from_;
    const std::size_t bytes_;
};

} // namespace parley::messaging
