// SPDX-License-Identifier: MIT
// A machine's parameters as the runner passes them: a line each, its name and a whole number.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <string_view>

namespace parley::machine_model {

// Times are in picoseconds, sizes in bytes. What the numbers mean is Machine's.
class MachineFile {
public:
    // An error is one sentence.
    static std::expected<MachineFile, std::string> parse(std::string_view text);

    bool has(const std::string& name) const { return values_.contains(name); }
    // The value, or 0 where there is none.
    std::uint64_t operator[](const std::string& name) const;
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

private:
    std::map<std::string, std::uint64_t> values_;
};

} // namespace parley::machine_model
