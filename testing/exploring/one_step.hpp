// SPDX-License-Identifier: MIT
// What a party of a play does as one step.
#pragma once

namespace parley::explorer {

// As long as one of these exists, all that the running party does is one step: for what leads to a place of
// which every order is to be seen, and has no part in it. The party does not wait meanwhile, and has one of
// these at a time. Without a running exploration it does nothing.
class OneStep {
public:
    OneStep();
    ~OneStep();
    OneStep(const OneStep&) = delete;
    OneStep& operator=(const OneStep&) = delete;
};

} // namespace parley::explorer
