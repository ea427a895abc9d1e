// SPDX-License-Identifier: MIT
// How the words of factors meet: whoever is asked first, what one has narrowed none widens.
#include "messaging/binding.hpp"
#include "testing/catch.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using namespace parley::messaging;

namespace {

constexpr std::uint32_t bytes_in_entry = 48, longest_carried = 32;

struct Word {
    std::string name;
    std::function<void(Binding&)> say;
};

const std::vector<Word>& words()
{
    static const std::vector<Word> all = {
        {"check_receives_from", [](Binding& binding) { binding.check_receives_from(100); }},
        {"check_blocks_from", [](Binding& binding) { binding.check_blocks_from(200); }},
        {"limit_spin", [](Binding& binding) { binding.limit_spin(3); }},
        {"send_nothing_eagerly", [](Binding& binding) { binding.send_nothing_eagerly(); }},
        {"post_receives", [](Binding& binding) { binding.post_receives(); }},
        {"await_deliveries", [](Binding& binding) { binding.await_deliveries(); }},
        {"carry_bytes", [](Binding& binding) { binding.carry_bytes(longest_carried); }},
        {"carry_references", [](Binding& binding) { binding.carry_references(); }},
    };
    return all;
}

auto all_of(const Binding& binding)
{
    return std::tuple(binding.eager_nodes, binding.awaits, binding.room, binding.carried_below,
                      binding.carries_references, binding.checked_from, binding.checked_blocks_from,
                      binding.spin_limit, binding.posts_receives, binding.serves_programs);
}

// The numbers of the words that are said, in their order.
Binding said(const std::vector<unsigned>& order, std::uint32_t room)
{
    Binding binding(room);
    for (const unsigned word : order)
        words()[word].say(binding);
    return binding;
}

std::string names_of(const std::vector<unsigned>& order)
{
    std::string names;
    for (const unsigned word : order)
        names += words()[word].name + " ";
    return names;
}

} // namespace

TEST_CASE("the order in which factors bind the short ways says nothing")
{
    const std::uint32_t room = GENERATE(0u, bytes_in_entry);
    for (unsigned chosen = 0; chosen < 1u << words().size(); ++chosen) {
        std::vector<unsigned> order;
        for (unsigned word = 0; word < words().size(); ++word)
            if ((chosen >> word & 1) != 0)
                order.push_back(word);
        const auto first = all_of(said(order, room));
        while (std::ranges::next_permutation(order).found)
            if (all_of(said(order, room)) != first)
                FAIL(names_of(order) << "in ports with " << room << " bytes");
    }
}

TEST_CASE("where every message needs memory ports carry nothing, whoever would let them")
{
    std::vector<unsigned> order(words().size());
    std::iota(order.begin(), order.end(), 0u);
    do {
        const Binding binding = said(order, bytes_in_entry);
        if (binding.eager_nodes != 0 || binding.room != 0 || binding.carried_below != 0 ||
            binding.carries_references)
            FAIL(names_of(order));
    } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("the narrower word of two holds")
{
    const auto narrowed = [](auto&& first, auto&& second) {
        Binding one(bytes_in_entry), other(bytes_in_entry);
        first(one), second(one);
        second(other), first(other);
        CHECK(all_of(one) == all_of(other));
        return one;
    };
    CHECK(narrowed([](Binding& it) { it.limit_spin(2); }, [](Binding& it) { it.limit_spin(9); }).spin_limit ==
          2);
    CHECK(narrowed([](Binding& it) { it.check_receives_from(8); },
                   [](Binding& it) { it.check_receives_from(64); })
              .checked_from == 8);
    CHECK(
        narrowed([](Binding& it) { it.check_blocks_from(8); }, [](Binding& it) { it.check_blocks_from(64); })
            .checked_blocks_from == 8);
}

TEST_CASE("a port carries what its entries have room for")
{
    const auto carried = [](std::uint32_t room, std::uint32_t longest) {
        Binding binding(room);
        binding.carry_bytes(longest);
        binding.carry_references();
        return binding;
    };
    CHECK(carried(bytes_in_entry, longest_carried).carried_below == longest_carried + 1);
    CHECK(carried(bytes_in_entry, 100).carried_below == bytes_in_entry + 1);
    CHECK(carried(0, 100).carried_below == 0);
    CHECK(carried(bytes_in_entry, 100).carries_references);
    CHECK_FALSE(carried(sizeof(std::byte*) - 1, 100).carries_references);
    CHECK_FALSE(carried(0, 100).carries_references);
}
