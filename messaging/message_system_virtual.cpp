// SPDX-License-Identifier: MIT
// The message system with virtual dispatch. Only abstract headers are seen here, so no leaf can be guessed
// and inlined.
#include "messaging/job_messages.hpp"

namespace parley::messaging {

template class JobMessages<Factors<>>;
template class ComposedEndpoint<Factors<>>;

} // namespace parley::messaging
