// SPDX-License-Identifier: MIT
// Ends ranks that their own job kills (killcube, killproc). Each rank is asked to end, by
// native/interface/departure.h, so that it leaves the message system whole to the others; a rank that does
// not leave in time is ended where it stands.
#pragma once

#include "interface/library.h"
#include "native/nxrun/place.hpp"
#include "native/nxrun/shared_file.hpp"

#include <optional>
#include <string>

namespace parley::native {

class Departures {
public:
    Departures(const SharedFile& area, const SharedFile& arena, const parley_library& library)
        : area_(area), arena_(arena), library_(library)
    {
    }

    // Nobody has asked the rank that is about to start in that place to end.
    void expect_none(const Place& place) const;
    // The rank that runs there is to end. `successor_receives`: what waits for it is for the next program.
    void ask(Place& place, bool successor_receives) const;
    // The process of a rank has ended with this status (wait(2)). The result says what others may have lost
    // by that: nothing, or the end of a sentence, "was to end and ...".
    std::optional<std::string> ended(Place& place, int status) const;
    // Looks at a rank that was asked to end, five times a second. A rank that does not leave is ended; the
    // result is as that of ended().
    std::optional<std::string> look_after(Place& place) const;

private:
    parley_native_place& shared(const Place& place) const;
    bool is_in_library(const Place& place) const;

    const SharedFile& area_;
    const SharedFile& arena_;
    const parley_library& library_;
};

} // namespace parley::native
