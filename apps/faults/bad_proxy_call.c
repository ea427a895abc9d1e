/* SPDX-License-Identifier: MIT */
/* Proxy calls with a proxy that nobody handed out and with a number that no call has: the system refuses
 * each, or ends the process. */
#include "fault.h"

#include "interface/proxies.h"

enum { last_number = PARLEY_PROXY_BASE + 63, no_such_proxy = 0x7fffffff, linux_unknown = -38 };

static long proxy_call(unsigned method, long proxy)
{
    long value;
    __asm__ volatile("syscall"
                     : "=a"(value)
                     : "0"((unsigned long)method), "D"(proxy), "S"(0L), "d"(0L)
                     : "rcx", "r8", "r9", "r10", "r11", "memory");
    return value;
}

int main(void)
{
    if (!fault_is_mine())
        return fault_bystander();
    if (proxy_call(parley_method_messages_send, no_such_proxy) >= 0)
        return fault_survived("use a proxy that is not its own");
    if (proxy_call(last_number, 1) != linux_unknown)
        return fault_survived("call a method that does not exist");
    fprintf(stderr, "both proxy calls were refused\n");
    return 1;
}
