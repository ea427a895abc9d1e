// SPDX-License-Identifier: MIT
// How a job comes to its end, decided by the nxrun that has the job: which ends of ranks are failures, whose
// failure is the verdict, and whether the job goes on without the rank that has ended. It stops nobody and
// tells nobody; its caller does.
// Invariant: the first reason to end a job is the only one; a rank that ends after it fails nobody.
#pragma once

#include "native/nxrun/places.hpp"
#include "native/nxrun/record.hpp"
#include "native/nxrun/verdict.hpp"

#include <optional>
#include <string>

namespace parley::native {

class JobEnding {
public:
    // Ranks' ends are written into the record.
    JobEnding(Places& places, Record& record) : places_(places), record_(record) { }

    // The job is to end, because of `sentence`; `report`: what its ranks were doing, lines. False: it is
    // ending already.
    bool begin(JobEnd how, const std::string& sentence, const std::string& report = {});
    bool has_begun() const { return begun_; }

    struct Meaning {
        std::optional<std::string> job_fails; // the sentence; empty: the verdict has it already
        bool is_last;                         // no program of the job runs any more
    };
    // The rank of that place has ended so (wait(2)), and its fault says why, if it was one. `lost`: the
    // sentence about what others may have lost by that.
    Meaning rank_ended(const Place& place, int status, const std::optional<std::string>& lost);

    // Writes the verdict into the record.
    void complete_record() const;

private:
    Places& places_;
    Record& record_;
    Verdict verdict_;
    bool begun_ = false;
};

} // namespace parley::native
