/* SPDX-License-Identifier: MIT */
/* The widest vector move of this processor and this Linux, which the message library copies with. */
#ifndef PARLEY_NATIVE_WIDEST_MOVE_H
#define PARLEY_NATIVE_WIDEST_MOVE_H

/* Answers bytes: 16, 32 (AVX) or 64 (AVX-512). May be called at any time, also before constructors. */
static inline unsigned parley_widest_move(void)
{
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return 64;
    return __builtin_cpu_supports("avx") ? 32 : 16;
}

#endif
