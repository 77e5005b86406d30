/* The instructions of this processor beyond the baseline of its architecture; found once by the compiler's library. */
#ifndef SEALBOOK_CPU_H
#define SEALBOOK_CPU_H

/* MULX, the two carry chains and vectors of 256 bits: files named _adx. */
static inline int cpu_has_adx(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("adx") && __builtin_cpu_supports("avx2");
#else
    return 0;
#endif
}

/* The SHA extensions: files named _shani. */
static inline int cpu_has_shani(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1");
#else
    return 0;
#endif
}

/* AVX-512 with 52-bit multiplication: files named _avx512. */
static inline int cpu_has_avx512_ifma(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512ifma")
        && __builtin_cpu_supports("avx512vbmi2");
#else
    return 0;
#endif
}

#endif
