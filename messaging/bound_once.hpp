// SPDX-License-Identifier: MIT
// A question to a leaf whose answer never changes, bound once: by the leaf's class, where that is known when
// this is compiled, and else when the system is made that has the leaf.
#pragma once

namespace parley::messaging {

// `Question`: called with the leaf it answers a bool. `Leaf`: under virtual dispatch the factor's abstract
// class, `Factor`.
template <class Question, class Leaf, class Factor>
class BoundOnce {
public:
    explicit BoundOnce(const Leaf&) { }
    bool by(const Leaf& leaf) const { return Question()(leaf); }
};
template <class Question, class Factor>
class BoundOnce<Question, Factor, Factor> {
public:
    explicit BoundOnce(const Factor& leaf) : answer_(Question()(leaf)) { }
    bool by(const Factor&) const { return answer_; }

private:
    const bool answer_;
};

} // namespace parley::messaging
