// SPDX-License-Identifier: MIT
// Ranks that their own job ends (killcube, killproc). Each is asked to, by native/interface/departure.h, so
// that the message system is left whole to the others; who does not leave in time is ended where it stands.
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

    // Before a rank starts in that place.
    void expect_none(const Place& place) const;
    // The rank that runs there is to end. `successor_receives`: what waits for it is for the next program.
    void ask(Place& place, bool successor_receives) const;
    // Its process has ended so (wait(2)). What others may have lost by it: nothing, or a sentence's end, "was
    // to end and ...".
    std::optional<std::string> ended(Place& place, int status) const;
    // Now and then while it is to end. One that does not leave is ended, and what others may have lost by
    // that is answered, as above.
    std::optional<std::string> look_after(Place& place) const;

private:
    parley_native_place& shared(const Place& place) const;
    bool is_in_library(const Place& place) const;

    const SharedFile& area_;
    const SharedFile& arena_;
    const parley_library& library_;
};

} // namespace parley::native
