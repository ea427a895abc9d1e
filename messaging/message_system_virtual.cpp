// SPDX-License-Identifier: MIT
// The message system with virtual dispatch. Only abstract headers are seen here, so no leaf can be guessed
// and inlined.
#include "messaging/basic_message_system.hpp"

namespace parley::messaging {

template class BasicMessageSystem<Factors<>>;
template struct BasicEndpoint<Factors<>>;

} // namespace parley::messaging
