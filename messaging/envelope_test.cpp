// SPDX-License-Identifier: MIT
// The two words of an envelope at the limits of a job: no field reaches into its neighbour.
#include "messaging/message/envelope.hpp"

#include "testing/catch.hpp"

using namespace parley;
using namespace parley::messaging;

namespace {

constexpr std::int32_t last_node = PARLEY_MAX_NODES - 1;
constexpr std::int32_t host = PARLEY_MAX_NODES;
constexpr std::int32_t largest_pid = 0x7fffffff;
constexpr std::uint16_t last_endpoint = PARLEY_MAX_PROCESSES - 1;
constexpr std::uint32_t largest_type = 1'999'999'999;
constexpr std::uint64_t last_context = (1 << PARLEY_CONTEXT_BITS) - 1;
constexpr std::uint64_t last_slot = (1 << Envelope::slot_bits) - 1;

} // namespace

TEST_CASE("an envelope is two words, and each of its fields holds the largest and the smallest there is")
{
    for (const std::int32_t node : {0, 1, last_node, host})
        for (const std::int32_t pid : {0, 1, largest_pid})
            for (const std::uint16_t source : {std::uint16_t{0}, std::uint16_t{1}, last_endpoint})
                for (const std::uint64_t context : {std::uint64_t{0}, std::uint64_t{1}, last_context})
                    for (const std::uint64_t slot : {std::uint64_t{0}, std::uint64_t{1}, last_slot})
                        for (const bool is_largest : {false, true}) {
                            const std::uint32_t type = is_largest ? largest_type : 0;
                            const auto length =
                                static_cast<std::uint32_t>(is_largest ? Envelope::longest : 0);
                            const Envelope envelope = Envelope({node, pid}, source)
                                                          .addressed(type, length, parley_address(0, context),
                                                                     Envelope::home_bits(slot));
                            CHECK(envelope.node() == node);
                            CHECK(envelope.pid() == pid);
                            CHECK(envelope.source() == source);
                            CHECK(envelope.context() == context);
                            CHECK(envelope.home() == slot);
                            CHECK(envelope.type() == type);
                            CHECK(envelope.length() == length);
                            CHECK_FALSE(envelope.is_plain());
                            const Envelope marked =
                                Envelope::of_words(envelope.contents(), envelope.sender() | Envelope::plain);
                            CHECK(marked.is_plain());
                            CHECK((marked.node() == node && marked.source() == source &&
                                   marked.context() == context && marked.home() == slot));
                            CHECK(ReceiveStatus(envelope));
                        }
}

TEST_CASE("a receive names the host and the last node, and neither is taken for nobody")
{
    for (const std::int32_t node : {last_node, host}) {
        const Envelope envelope = Envelope({node, largest_pid}, last_endpoint).addressed(1, 0, 0, 0);
        const auto takes = [&](long from, long pid) {
            return envelope.is_from(parley_senders_from(from, pid, 0), parley_senders_mask(from, pid));
        };
        CHECK(takes(node, largest_pid));
        CHECK(takes(-1, -1));
        CHECK(takes(node, -1));
        CHECK_FALSE(takes(node - 1, -1));
        CHECK_FALSE(takes(node, largest_pid - 1));
        for (const long none : {long{host} + 1, long{PARLEY_NO_NODE}, 2 * long{PARLEY_NO_NODE}, -2L})
            CHECK_FALSE(takes(none, -1));
    }
}
