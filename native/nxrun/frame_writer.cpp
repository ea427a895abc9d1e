// SPDX-License-Identifier: MIT
#include "native/nxrun/frame_writer.hpp"

#include "base/crc32.hpp"

#include <array>
#include <cerrno>
#include <unistd.h>

namespace parley::native {

void FrameWriter::write(Bytes bytes)
{
    while (!bytes.empty() && failure_ == 0) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written >= 0)
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            failure_ = errno;
    }
}

void FrameWriter::put(parley_frame kind, std::initializer_list<Bytes> pieces)
{
    std::size_t bytes = 0;
    for (const Bytes piece : pieces)
        bytes += piece.size();
    const std::array<std::uint32_t, 4> head{PARLEY_FRAME_MAGIC, static_cast<std::uint32_t>(kind), sequence_++,
                                            static_cast<std::uint32_t>(bytes)};
    Crc32 checksum;
    const auto add = [&](Bytes piece) {
        checksum.add(piece);
        write(piece);
    };
    add(std::as_bytes(std::span(head)));
    for (const Bytes piece : pieces)
        add(piece);
    const std::uint32_t sum = checksum.value();
    write(std::as_bytes(std::span(&sum, 1)));
}

void FrameWriter::put(parley_frame kind, std::string_view text)
{
    put(kind, {std::as_bytes(std::span(text.data(), text.size()))});
}

} // namespace parley::native
