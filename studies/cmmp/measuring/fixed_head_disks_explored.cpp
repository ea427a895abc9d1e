// SPDX-License-Identifier: MIT
#include "studies/cmmp/measuring/fixed_head_disks.hpp"
#include "testing/catch.hpp"
#include "testing/explorer.hpp"

#include <memory>

using namespace parley;
using namespace parley::cmmp;

namespace {

explorer::Play two_pages_come_to_one_disk()
{
    struct Disks {
        FixedHeadDisks disks{5, 1};
        explorer::Noted<std::uint64_t> done[2];
    };
    const auto scene = std::make_shared<Disks>();
    explorer::Play play;
    for (unsigned process = 0; process < 2; ++process)
        play.parties.push_back(
            [scene, process] { scene->done[process] = scene->disks.read_at(process, 1, 0); });
    play.check = [scene] {
        return scene->done[0] + scene->done[1] == 5 + 10 ? "" : "a disk moves two pages at once";
    };
    return play;
}

} // namespace

TEST_CASE("a disk moves the pages of one process after those of another in every order of steps there is")
{
    CHECK(explorer::explore({.preemptions = explorer::unlimited}, two_pages_come_to_one_disk).failure == "");
}
