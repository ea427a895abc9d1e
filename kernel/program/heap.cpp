// SPDX-License-Identifier: MIT
#include "kernel/program/heap.hpp"

#include <algorithm>

namespace parley::kernel {

void Heap::move_end(UserAddress wanted)
{
    if (wanted < start_ || wanted > limit_)
        return;
    if (wanted > mapped_) {
        const UserAddress ahead{
            std::min(start_.value + round_up(wanted.value - start_.value, grain), limit_.value)};
        if (!space_.map(mapped_, ahead.value - mapped_.value, Protection::read_write, Replace::no))
            return;
        mapped_ = ahead;
    } else if (wanted < end_) {
        const UserAddress kept{round_up(wanted.value, page_bytes)};
        if (kept < mapped_ && !space_.unmap(kept, mapped_.value - kept.value))
            return;
        mapped_ = kept;
    }
    end_ = wanted;
}

} // namespace parley::kernel
