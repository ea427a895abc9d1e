// SPDX-License-Identifier: MIT
#include "kernel/process/proxy_calls.hpp"

namespace parley::kernel {

namespace {

consteval ProxyMethods make_methods()
{
    ProxyMethods methods{};
#define PARLEY_METHOD_ENTRY(kind, name, number) \
    methods.calls[number] = &kind##_##name;     \
    methods.kinds[number] = ObjectClass::kind;
    PARLEY_PROXY_METHODS(PARLEY_METHOD_ENTRY)
#undef PARLEY_METHOD_ENTRY
    return methods;
}

} // namespace

constinit const ProxyMethods proxy_methods = make_methods();

} // namespace parley::kernel
