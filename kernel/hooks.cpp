// SPDX-License-Identifier: MIT
// What the nucleus is without a study beside it.
#include "kernel/hooks.hpp"

#include "kernel/kernel.hpp"

namespace parley::kernel {

[[gnu::weak]] Loaded<Hooks> make_hooks(Kernel& kernel)
{
    if (!kernel.configuration.machine.empty())
        return refuse("this kernel measures nothing, so its machine is as it is; boot a measuring one",
                      Error::bad_argument);
    return {};
}

} // namespace parley::kernel
