// SPDX-License-Identifier: MIT
// Factor "context-switch": do the processes of a job share an address space? Acts when a job is created.
#pragma once

namespace parley::messaging {

class ContextSwitch {
public:
    virtual bool shares_domain() const = 0;

protected:
    ~ContextSwitch() = default;
};

} // namespace parley::messaging
