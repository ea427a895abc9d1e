// SPDX-License-Identifier: MIT
// A value, or the reason why there is none. Every call that can fail returns a Result; TRY passes the
// error on.
#pragma once

#include "interface/errors.h"

#include <cstdint>
#include <expected>
#include <string_view>

namespace parley {

enum class Error : std::uint8_t {
#define PARLEY_ERROR_ENUMERATOR(name, number, nx_errno, sentence) name = number,
    PARLEY_ERRORS(PARLEY_ERROR_ENUMERATOR)
#undef PARLEY_ERROR_ENUMERATOR
};

template <class T>
using Result = std::expected<T, Error>;

// One clear sentence without a full stop, for people.
std::string_view sentence(Error error);

} // namespace parley

// The value of a Result; if there is none, the function that contains this returns the error.
#define TRY(expression)                                     \
    __extension__({                                         \
        auto try_result_ = (expression);                    \
        if (!try_result_)                                   \
            return std::unexpected(try_result_.error());    \
        *static_cast<decltype(try_result_)&&>(try_result_); \
    })

// Like TRY, for a Result<void>.
#define TRY_VOID(expression)                             \
    do {                                                 \
        auto try_result_ = (expression);                 \
        if (!try_result_)                                \
            return std::unexpected(try_result_.error()); \
    } while (false)
