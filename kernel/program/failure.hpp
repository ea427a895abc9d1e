// SPDX-License-Identifier: MIT
// Why a program, an archive or a file could not be used: an error and one sentence for people, without a full
// stop.
#pragma once

#include "base/result.hpp"

#include <expected>
#include <string_view>
#include <type_traits>

namespace parley::kernel {

struct LoadFailure {
    Error error;
    std::string_view sentence;
};

template <class T>
using Loaded = std::expected<T, LoadFailure>;

constexpr std::unexpected<LoadFailure> refuse(std::string_view sentence, Error error = Error::bad_executable)
{
    return std::unexpected(LoadFailure{error, sentence});
}

// A lower layer's result with the sentence that fits here.
template <class T>
Loaded<T> explain(const Result<T>& result, std::string_view sentence)
{
    if (!result)
        return refuse(sentence, result.error());
    if constexpr (std::is_void_v<T>)
        return {};
    else
        return *result;
}

} // namespace parley::kernel
