// SPDX-License-Identifier: MIT
// This machine's part in a job that it has, as the first of the job's machines or the only one. It starts the
// job's programs wherever they are, answers what ranks ask, and brings the job to its end: by a failure, by a
// deadlock that two waves of looks at all machines have found, or when no program runs any more.
// Invariant: a place of another machine has the process `elsewhere` exactly while the roster says that its
// program runs.
#pragma once

#include "native/nxrun/federation.hpp"
#include "native/nxrun/job_ending.hpp"
#include "native/nxrun/last_reports.hpp"
#include "native/nxrun/pending_answers.hpp"
#include "native/nxrun/rank_requests.hpp"
#include "native/nxrun/trace_collection.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::native {

class FirstMachine final : public Federation, RankRequests::Machinery {
public:
    // For how many looks other machines are waited for, which may be busy.
    static constexpr unsigned longest_wait = 50;

    // `machines`: how many the job has. `starts`: what the programs of the places will be told. `command`: of
    // the program that starts on all nodes, or of the host.
    FirstMachine(const MachineParts& parts, unsigned machines, parley_native_place* starts,
                 std::vector<std::string> command, Record& record, TraceCollection& traces);

    void begin() override;
    void asked(Place& place, const parley_native_request& request) override;
    void ended(Place& place, int status, const std::optional<std::string>& lost) override;
    void network_ended() override;
    void receive(unsigned machine, const Packet& packet) override;
    void look() override;
    void end(JobEnd how, const std::string& sentence) override { end(how, sentence, {}); }
    void end_with_reports(JobEnd how, const std::string& sentence) override;
    bool is_ending() const override { return ending_.has_begun(); }
    void complete(Record& record) override;

private:
    // What requests need.
    bool start(Place& place) override;
    void kill_rank(Place& place, bool successor_receives) override;
    void answer(Place& place, unsigned number, long value, unsigned long sender) override;
    void tell_then_answer(Place& place, Packet packet, unsigned number, long value, bool ends) override;

    jobs::Roster& roster() { return in_.places.roster(); }
    bool has_programs();
    void send_to_all(const Packet& packet);
    void receive_request(Place& place, const Packet& packet);
    void receive_end(Place& place, const Packet& packet);
    void receive_look(unsigned machine, const jobs::DeadlockSearch::Words& answer);
    void receive_report(unsigned machine, const std::string& report);
    void receive_done(long token, const Result<void>& made);
    void receive_unreceived(const Packet& packet);
    void end(JobEnd how, const std::string& sentence, const std::string& report);
    void end_reported();
    void dismiss_helpers();
    void finish();

    const MachineParts in_;
    const unsigned machines_;
    const std::vector<std::string> command_;
    TraceCollection& traces_;
    RankRequests requests_;
    JobEnding ending_;
    PendingAnswers pending_;
    std::vector<jobs::DeadlockSearch::MachineAnswers> looked_at_; // an entry for each machine
    jobs::DeadlockSearch deadlock_search_{looked_at_};
    std::optional<LastReports> last_reports_;
    std::map<unsigned, messaging::Unreceived> unreceived_elsewhere_; // by endpoint
    bool finished_ = false;                                          // the network is being left
};

} // namespace parley::native
