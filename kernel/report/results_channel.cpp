// SPDX-License-Identifier: MIT
#include "kernel/report/results_channel.hpp"

#include "arch/x86_64/registers.hpp"

namespace parley::kernel {

namespace {

struct ResultsFrameHead {
    std::uint32_t magic, kind, sequence, bytes;
};

} // namespace

ResultsChannel::Bytes bytes_of(std::string_view text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

void ResultsChannel::put(Bytes bytes)
{
    checksum_.add(bytes);
    for (std::byte byte : bytes)
        arch::write_port(PARLEY_RESULTS_PORT, static_cast<std::uint8_t>(byte));
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
    checksum_ = {};
    const ResultsFrameHead head{PARLEY_FRAME_MAGIC, static_cast<std::uint32_t>(kind), sequence_++,
                                static_cast<std::uint32_t>(total)};
    put(bytes_of(head));
    for (Bytes piece : pieces)
        put(truncated_ ? piece.first(piece.size() / 2) : piece);
    const std::uint32_t sum = checksum_.value();
    put(truncated_ ? bytes_of(sum).first(1) : bytes_of(sum));
}

} // namespace parley::kernel
