// SPDX-License-Identifier: MIT
// This machine's part in a job of which another machine is the first: does what that one's nxrun says and
// tells it what happens here. Its roster knows only its own ranks.
#pragma once

#include "native/nxrun/federation.hpp"
#include "native/nxrun/trace_collection.hpp"
#include "native/nxrun/verdict.hpp"

namespace parley::native {

class OtherMachine final : public Federation {
public:
    // `starts`: what the programs of the places will be told. `trace`: what was written down here.
    OtherMachine(const MachineParts& parts, parley_native_place* starts, TraceSender trace)
        : in_(parts), starts_(starts), trace_(std::move(trace))
    {
    }

    void begin() override { }
    void asked(Place& place, const parley_native_request& request) override;
    void ended(Place& place, int status, const std::optional<std::string>& lost) override;
    void network_ended() override;
    void receive(unsigned machine, const Packet& packet) override;
    void look() override { }
    void end(JobEnd how, const std::string& sentence) override;
    void end_with_reports(JobEnd how, const std::string& sentence) override { end(how, sentence); }
    bool is_ending() const override { return ending_; }
    void complete(Record& record) override;

private:
    void change(const Packet& packet);
    void start(Place& place, const Packet& packet);
    void refuse_start(const Place& place);
    void answer(Place& place, const Packet& packet);
    void finish();
    void send_unreceived();
    void send(const Packet& packet, std::uint32_t after = ControlHead::none);

    const MachineParts in_;
    parley_native_place* const starts_;
    TraceSender trace_;
    Verdict verdict_; // where the first machine cannot say it
    bool ending_ = false;
    bool finished_ = false; // the network is being left
};

} // namespace parley::native
