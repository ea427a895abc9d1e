// SPDX-License-Identifier: MIT
#include "native/network/machine_gathering.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace parley::native {

bool MachineGathering::finds(messaging::MachineMeetings& meetings)
{
    if (!is_idle())
        return false;
    const std::optional<messaging::MachineMeetings::Come> come = meetings.next(own_);
    if (!come)
        return false;
    own_head_.call = come->call;
    own_head_.bytes = static_cast<std::uint32_t>(come->bytes);
    if (come->bytes <= own_head_.few.size())
        std::copy_n(own_.data(), come->bytes, own_head_.few.data());
    return true;
}

void MachineGathering::begin()
{
    ++begun_;
    __atomic_store_n(&traffic_.begun, traffic_.begun + 1, __ATOMIC_RELEASE);
    heads_.resize(machines_);
    stage_ = Stage::heads;
    transfer_ = wire_.begin_gather(&own_head_, heads_.data(), sizeof own_head_);
}

void MachineGathering::begin_with_nothing()
{
    own_head_.call = nothing;
    own_head_.bytes = 0;
    begin();
}

bool MachineGathering::has_come()
{
    const bool is_under_way = stage_ == Stage::heads || stage_ == Stage::bytes;
    if (is_under_way && wire_.done(transfer_) != 0)
        take_next_step();
    return stage_ == Stage::come;
}

// All machines have the same heads, so all take the same way.
void MachineGathering::take_next_step()
{
    const std::size_t most = most_bytes();
    has_few_ = stage_ == Stage::heads && most <= own_head_.few.size();
    if (stage_ == Stage::bytes || has_few_ || !is_of_all() || bytes_of_all() > PARLEY_MEETINGS_BYTES) {
        stage_ = Stage::come;
        return;
    }
    all_.resize(machines_ * most);
    stage_ = Stage::bytes;
    transfer_ = wire_.begin_gather(own_.data(), all_.data(), most);
}

// The traffic counts a meeting as ended only when its ranks have been told, so a search for deadlocks takes
// it for one that is under way until then.
void MachineGathering::end(messaging::MachineMeetings& meetings)
{
    stage_ = Stage::idle;
    if (is_of_all() && bytes_of_all() > PARLEY_MEETINGS_BYTES) {
        meetings.end(std::nullopt);
    } else if (is_of_all()) {
        std::array<std::byte, PARLEY_MEETINGS_BYTES> whole;
        const std::size_t share = all_.size() / machines_;
        std::byte* at = whole.data();
        for (unsigned machine = 0; machine < machines_; ++machine) {
            const Head& head = heads_[machine];
            at = std::copy_n(has_few_ ? head.few.data() : all_.data() + machine * share, head.bytes, at);
        }
        meetings.end(std::span<const std::byte>(whole.data(), at));
    }
    __atomic_store_n(&traffic_.ended, traffic_.ended + 1, __ATOMIC_RELEASE);
}

void MachineGathering::forget()
{
    stage_ = Stage::idle;
    __atomic_store_n(&traffic_.ended, traffic_.ended + 1, __ATOMIC_RELEASE);
}

// Whether all machines' ranks meet for the same call.
bool MachineGathering::is_of_all() const
{
    return std::ranges::all_of(
        heads_, [&](const Head& head) { return head.call != nothing && head.call == heads_.front().call; });
}

std::size_t MachineGathering::bytes_of_all() const
{
    std::size_t bytes = 0;
    for (const Head& head : heads_)
        bytes += head.bytes;
    return bytes;
}

std::size_t MachineGathering::most_bytes() const { return std::ranges::max(heads_, {}, &Head::bytes).bytes; }

} // namespace parley::native
