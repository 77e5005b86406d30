/*
 * Products of 512 bits with MULX and the two carry chains of ADX; for files whose names have _adx, and processors that
 * have both.
 *
 * Each reads its operands before it writes the result. Constant time.
 */
#ifndef SEALBOOK_U256_ADX_H
#define SEALBOOK_U256_ADX_H

#include "u256.h"
#include "work.h"

/*
 * One row: limbs t0..t3 += a_i * b, t4 = what overflows. Low halves go along the carry flag, high halves along the
 * overflow flag.
 */
#define U256_ADX_ROW(i, t0, t1, t2, t3, t4)  \
    "movq " #i "*8(%[a]), %%rdx\n\t"         \
    "xorl %k[high], %k[high]\n\t"            \
    "mulxq (%[b]), %[low], %[high]\n\t"      \
    "adcxq %[low], %[" #t0 "]\n\t"           \
    "adoxq %[high], %[" #t1 "]\n\t"          \
    "mulxq 8(%[b]), %[low], %[high]\n\t"     \
    "adcxq %[low], %[" #t1 "]\n\t"           \
    "adoxq %[high], %[" #t2 "]\n\t"          \
    "mulxq 16(%[b]), %[low], %[high]\n\t"    \
    "adcxq %[low], %[" #t2 "]\n\t"           \
    "adoxq %[high], %[" #t3 "]\n\t"          \
    "mulxq 24(%[b]), %[low], %[" #t4 "]\n\t" \
    "movl $0, %k[high]\n\t"                  \
    "adcxq %[low], %[" #t3 "]\n\t"           \
    "adoxq %[high], %[" #t4 "]\n\t"          \
    "adcxq %[high], %[" #t4 "]\n\t"

/* t = a * b. */
static inline __attribute__((always_inline)) void u256_adx_mul(uint64_t t[8], const u256 *a, const u256 *b) {
    WORK(WORK_MULTIPLICATION);
    uint64_t low, high;
    /* clang-format off */
    __asm__("movq (%[a]), %%rdx\n\t"
            "mulxq (%[b]), %[t0], %[t1]\n\t"
            "mulxq 8(%[b]), %[low], %[t2]\n\t"
            "addq %[low], %[t1]\n\t"
            "mulxq 16(%[b]), %[low], %[t3]\n\t"
            "adcq %[low], %[t2]\n\t"
            "mulxq 24(%[b]), %[low], %[t4]\n\t"
            "adcq %[low], %[t3]\n\t"
            "adcq $0, %[t4]\n\t"
            U256_ADX_ROW(1, t1, t2, t3, t4, t5)
            U256_ADX_ROW(2, t2, t3, t4, t5, t6)
            U256_ADX_ROW(3, t3, t4, t5, t6, t7)
            : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
            [t5] "=&r"(t[5]), [t6] "=&r"(t[6]), [t7] "=&r"(t[7]), [low] "=&r"(low), [high] "=&r"(high)
            : [a] "r"(a->w), [b] "r"(b->w), "m"(*a), "m"(*b)
            : "rdx", "cc");
    /* clang-format on */
}

/* t = a^2: the products of different limbs once, doubled, and the squares added. */
static inline __attribute__((always_inline)) void u256_adx_sqr(uint64_t t[8], const u256 *a) {
    WORK(WORK_MULTIPLICATION);
    uint64_t low, high;
    /* clang-format off */
    __asm__("movq (%[a]), %%rdx\n\t"
            "mulxq 8(%[a]), %[t1], %[t2]\n\t"
            "mulxq 16(%[a]), %[low], %[t3]\n\t"
            "addq %[low], %[t2]\n\t"
            "mulxq 24(%[a]), %[low], %[t4]\n\t"
            "adcq %[low], %[t3]\n\t"
            "adcq $0, %[t4]\n\t"
            "movq 8(%[a]), %%rdx\n\t"
            "xorl %k[t5], %k[t5]\n\t"
            "mulxq 16(%[a]), %[low], %[high]\n\t"
            "addq %[low], %[t3]\n\t"
            "adcq %[high], %[t4]\n\t"
            "adcq $0, %[t5]\n\t"
            "mulxq 24(%[a]), %[low], %[high]\n\t"
            "addq %[low], %[t4]\n\t"
            "adcq %[high], %[t5]\n\t"
            "movq 16(%[a]), %%rdx\n\t"
            "mulxq 24(%[a]), %[low], %[t6]\n\t"
            "movl $0, %k[t7]\n\t"
            "adcq $0, %[t6]\n\t"
            "addq %[low], %[t5]\n\t"
            "adcq $0, %[t6]\n\t"
            "addq %[t1], %[t1]\n\t"
            "adcq %[t2], %[t2]\n\t"
            "adcq %[t3], %[t3]\n\t"
            "adcq %[t4], %[t4]\n\t"
            "adcq %[t5], %[t5]\n\t"
            "adcq %[t6], %[t6]\n\t"
            "adcq %[t7], %[t7]\n\t"
            "movq (%[a]), %%rdx\n\t"
            "mulxq %%rdx, %[t0], %[high]\n\t"
            "addq %[high], %[t1]\n\t"
            "movq 8(%[a]), %%rdx\n\t"
            "mulxq %%rdx, %[low], %[high]\n\t"
            "adcq %[low], %[t2]\n\t"
            "adcq %[high], %[t3]\n\t"
            "movq 16(%[a]), %%rdx\n\t"
            "mulxq %%rdx, %[low], %[high]\n\t"
            "adcq %[low], %[t4]\n\t"
            "adcq %[high], %[t5]\n\t"
            "movq 24(%[a]), %%rdx\n\t"
            "mulxq %%rdx, %[low], %[high]\n\t"
            "adcq %[low], %[t6]\n\t"
            "adcq %[high], %[t7]\n\t"
            : [t0] "=&r"(t[0]), [t1] "=&r"(t[1]), [t2] "=&r"(t[2]), [t3] "=&r"(t[3]), [t4] "=&r"(t[4]),
            [t5] "=&r"(t[5]), [t6] "=&r"(t[6]), [t7] "=&r"(t[7]), [low] "=&r"(low), [high] "=&r"(high)
            : [a] "r"(a->w), "m"(*a)
            : "rdx", "cc");
    /* clang-format on */
}

#endif
