// SPDX-License-Identifier: MIT
#include "kernel/program/configuration.hpp"

namespace parley::kernel {

namespace {

constexpr bool blank(char character)
{
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

} // namespace

std::expected<std::size_t, std::string_view> split_words(std::string_view text, std::span<char> storage,
                                                         std::span<std::string_view> words)
{
    std::size_t count = 0;
    std::size_t used = 0;
    std::size_t at = 0;
    for (;;) {
        while (at < text.size() && blank(text[at]))
            ++at;
        if (at == text.size())
            return count;
        if (count == words.size())
            return std::unexpected("there are too many arguments; a program gets at most 63");
        const std::size_t start = used;
        bool quoted = false;
        for (; at < text.size() && (quoted || !blank(text[at])); ++at) {
            if (text[at] == '"') {
                quoted = !quoted;
                continue;
            }
            if (text[at] == '\\' && ++at == text.size())
                return std::unexpected("nothing follows the last backslash");
            if (used == storage.size())
                return std::unexpected("the arguments are too long; a program gets at most 16 KiB of them");
            storage[used++] = text[at];
        }
        if (quoted)
            return std::unexpected("a double quote is not closed");
        if (used == storage.size())
            return std::unexpected("the arguments are too long; a program gets at most 16 KiB of them");
        words[count++] = {storage.data() + start, used - start};
        storage[used++] = '\0';
    }
}

} // namespace parley::kernel
