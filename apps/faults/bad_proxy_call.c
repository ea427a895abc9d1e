/* SPDX-License-Identifier: MIT */
/* Proxy calls with a proxy that nobody handed out and with a method that does not exist: the system refuses
 * each, or ends the process. */
#include "fault.h"

enum { first_method = 0x1000, no_such_method = 0x1fff, no_such_proxy = 0x7fffffff };

static long proxy_call(long method, long proxy)
{
    long value;
    __asm__ volatile("syscall"
                     : "=a"(value)
                     : "0"(method), "D"(proxy), "S"(0L), "d"(0L)
                     : "rcx", "r8", "r9", "r10", "r11", "memory");
    return value;
}

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    if (proxy_call(first_method, no_such_proxy) >= 0)
        return fault_survived("use a proxy that is not its own");
    if (proxy_call(no_such_method, 1) >= 0)
        return fault_survived("call a method that does not exist");
    fprintf(stderr, "both proxy calls were refused\n");
    return 1;
}
