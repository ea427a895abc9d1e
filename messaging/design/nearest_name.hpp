// SPDX-License-Identifier: MIT
// The known name closest to a mistyped one: the one that it begins, else by edit distance.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace parley::messaging {

class NearestName {
public:
    explicit NearestName(std::string_view wanted) : wanted_(wanted) { }

    void consider(std::string_view known)
    {
        const bool abbreviated = wanted_.size() >= 2 && known.starts_with(wanted_);
        const std::size_t now = abbreviated ? 0 : distance(shortened(wanted_), shortened(known));
        if (now >= best_distance_)
            return;
        best_distance_ = now;
        best_ = known;
    }

    std::string_view best() const { return best_; }
    // Whether it may be what was meant: it is begun, or a third of what was written is wrong at most, but one
    // letter in any case.
    bool is_near() const { return best_distance_ <= 1 || best_distance_ <= wanted_.size() / 3; }

private:
    static constexpr std::size_t limit = 40;

    static constexpr std::string_view shortened(std::string_view name)
    {
        if (name.size() > limit)
            name.remove_suffix(name.size() - limit);
        return name;
    }

    static constexpr std::size_t distance(std::string_view a, std::string_view b)
    {
        std::array<std::size_t, limit + 1> row{};
        for (std::size_t j = 0; j <= b.size(); ++j)
            row[j] = j;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            std::size_t diagonal = row[0]++;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                const std::size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
                row[j] = changed < shorter ? changed : shorter;
            }
        }
        return row[b.size()];
    }

    std::string_view wanted_;
    std::string_view best_;
    std::size_t best_distance_ = ~std::size_t{0};
};

} // namespace parley::messaging
