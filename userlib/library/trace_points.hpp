// SPDX-License-Identifier: MIT
// Where the library's table can be watched. Here nobody watches; a traced library finds another header of
// this name first on its include path (userlib/library/traced).
#pragma once

namespace parley::library::trace {

inline constexpr bool watches = false;

// While this lives, the process of an endpoint is in the message system.
class Inside {
public:
    explicit Inside(unsigned) { }
    ~Inside() { }
};

} // namespace parley::library::trace
