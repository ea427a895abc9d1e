// SPDX-License-Identifier: MIT
#include "kernel/report/results_channel.hpp"

#include "arch/x86_64/registers.hpp"

namespace parley::kernel {

namespace {

// CRC-32 (IEEE), four bits a step: a table of sixteen words is enough for a channel of one byte a
// microsecond.
constexpr std::uint32_t polynomial = 0xedb88320;

struct Steps {
    std::uint32_t of[16];
};

consteval Steps make_steps()
{
    Steps steps{};
    for (std::uint32_t i = 0; i < 16; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 4; ++bit)
            value = (value & 1) != 0 ? value >> 1 ^ polynomial : value >> 1;
        steps.of[i] = value;
    }
    return steps;
}

constexpr Steps steps = make_steps();

std::uint32_t add_to_checksum(std::uint32_t sum, std::uint8_t byte)
{
    sum ^= byte;
    sum = sum >> 4 ^ steps.of[sum & 15];
    return sum >> 4 ^ steps.of[sum & 15];
}

struct FrameHead {
    std::uint32_t magic, kind, sequence, bytes;
};

} // namespace

ResultsChannel::Bytes bytes_of(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

void ResultsChannel::put(Bytes bytes)
{
    for (std::byte byte : bytes) {
        checksum_ = add_to_checksum(checksum_, static_cast<std::uint8_t>(byte));
        arch::write_port(PARLEY_RESULTS_PORT, static_cast<std::uint8_t>(byte));
    }
}

void ResultsChannel::send(parley_frame kind, std::initializer_list<Bytes> pieces)
{
    LockGuard guard(lock_);
    send_unlocked(kind, pieces);
}

void ResultsChannel::send(parley_frame kind, std::string_view text) { send(kind, {bytes_of(text)}); }

void ResultsChannel::send_unlocked(parley_frame kind, std::initializer_list<Bytes> pieces)
{
    std::size_t total = 0;
    for (Bytes piece : pieces)
        total += piece.size();
    checksum_ = ~0u;
    const FrameHead head{PARLEY_FRAME_MAGIC, static_cast<std::uint32_t>(kind), sequence_++,
                         static_cast<std::uint32_t>(total)};
    put(bytes_of(head));
    for (Bytes piece : pieces)
        put(truncated_ ? piece.first(piece.size() / 2) : piece);
    const std::uint32_t sum = ~checksum_;
    put(truncated_ ? bytes_of(sum).first(1) : bytes_of(sum));
}

} // namespace parley::kernel
