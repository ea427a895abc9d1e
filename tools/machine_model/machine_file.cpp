// SPDX-License-Identifier: MIT
#include "tools/machine_model/machine_file.hpp"

#include <charconv>
#include <cstddef>

namespace parley::machine_model {

std::expected<MachineFile, std::string> MachineFile::parse(std::string_view text)
{
    MachineFile result;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty())
            continue;
        const std::size_t blank = line.find(' ');
        const std::string_view digits = blank == std::string_view::npos ? "" : line.substr(blank + 1);
        std::uint64_t value = 0;
        const auto [rest, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (problem != std::errc{} || rest != digits.data() + digits.size())
            return std::unexpected("The machine's line '" + std::string{line} + "' is no name and number.");
        result.values_[std::string{line.substr(0, blank)}] = value;
    }
    return result;
}

std::uint64_t MachineFile::operator[](const std::string& name) const
{
    const auto found = values_.find(name);
    return found == values_.end() ? 0 : found->second;
}

} // namespace parley::machine_model
