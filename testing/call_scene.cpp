// SPDX-License-Identifier: MIT
#include "testing/call_scene.hpp"

namespace parley::messaging {

template class Progress<Factors<>>;
template class Outbox<Factors<>>;
template class Posting<Factors<>>;

} // namespace parley::messaging

namespace parley::testing {

CallScene::CallScene(bool marks_waiters) : FakeJob(marks_waiters)
{
    outbox.set_header(messaging::Envelope({0, 0}, 0));
    posting.bind(peers.data());
}

CallScene::~CallScene() = default;

void CallScene::stock() { REQUIRE(outbox.open(1, 0, 0)); }

unsigned CallScene::spare()
{
    messaging::MessagePool& pool = peer(0).delivery.pool();
    std::vector<messaging::MessageMemory*> all;
    while (messaging::MessageMemory* const memory = pool.take())
        all.push_back(memory);
    for (messaging::MessageMemory* const memory : all)
        pool.keep(*memory);
    return static_cast<unsigned>(all.size());
}

} // namespace parley::testing
