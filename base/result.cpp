// SPDX-License-Identifier: MIT
#include "base/result.hpp"

namespace parley {

std::string_view sentence(Error error)
{
    switch (error) {
#define PARLEY_ERROR_CASE(name, number, nx_errno, text) \
    case Error::name: return text;
        PARLEY_ERRORS(PARLEY_ERROR_CASE)
#undef PARLEY_ERROR_CASE
    }
    return "an unknown error";
}

} // namespace parley
