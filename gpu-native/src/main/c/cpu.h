/*
 * The instructions of this processor beyond the baseline of its architecture; found once, most of them by the library
 * of the compiler.
 */
#ifndef SEALBOOK_CPU_H
#define SEALBOOK_CPU_H

#ifdef __x86_64__
#include <cpuid.h>
#include <stdint.h>

/* Bits of EBX in leaf 7 of CPUID (Intel SDM 2A, CPUID): the library of gcc before 11 does not know these two. */
#define CPU_LEAF_7_ADX 19
#define CPU_LEAF_7_SHA 29

/* Asks once in each file: in a virtual machine CPUID takes many microseconds. Threads that ask at once agree. */
static inline int cpu_leaf_7(int bit) {
    static const uint64_t is_known = (uint64_t)1 << 32;
    static uint64_t found;
    uint64_t leaf = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (leaf == 0) {
        unsigned eax, ebx = 0, ecx, edx;
        leaf = is_known | (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ? ebx : 0);
        __atomic_store_n(&found, leaf, __ATOMIC_RELAXED);
    }
    return (int)(leaf >> bit & 1);
}
#endif

/* MULX, the two carry chains and vectors of 256 bits: files named _adx. */
static inline int cpu_has_adx(void) {
#ifdef __x86_64__
    return __builtin_cpu_supports("bmi2") && cpu_leaf_7(CPU_LEAF_7_ADX) && __builtin_cpu_supports("avx2");
#else
    return 0;
#endif
}

/* The SHA extensions: files named _shani. */
static inline int cpu_has_shani(void) {
#ifdef __x86_64__
    return cpu_leaf_7(CPU_LEAF_7_SHA) && __builtin_cpu_supports("sse4.1");
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
