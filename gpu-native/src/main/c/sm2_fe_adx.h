/* The products of sm2_fe.h with MULX and ADX, inline; for files whose names have _adx. */
#ifndef SEALBOOK_SM2_FE_ADX_H
#define SEALBOOK_SM2_FE_ADX_H

#include "sm2_fe.h"
#include "u256_adx.h"

/*
 * One Montgomery step on limbs t0..t3 with m = t0: they become t1..t3, and m the fourth. m p + m = m 2^256 - m 2^224 -
 * m 2^96 + m 2^64.
 */
#define SM2_FE_ADX_REDUCE(m, t1, t2, t3) \
    "movq %[" #m "], %[low]\n\t"         \
    "movq %[" #m "], %[high]\n\t"        \
    "shlq $32, %[low]\n\t"               \
    "shrq $32, %[high]\n\t"              \
    "addq %[" #m "], %[" #t1 "]\n\t"     \
    "adcq $0, %[" #t2 "]\n\t"            \
    "adcq $0, %[" #t3 "]\n\t"            \
    "adcq $0, %[" #m "]\n\t"             \
    "subq %[low], %[" #t1 "]\n\t"        \
    "sbbq %[high], %[" #t2 "]\n\t"       \
    "sbbq %[low], %[" #t3 "]\n\t"        \
    "sbbq %[high], %[" #m "]\n\t"

/* r = t / 2^256 mod p, for t < p 2^256. */
static inline __attribute__((always_inline)) void sm2_fe_adx_reduce(u256 *r, uint64_t t[8]) {
    uint64_t low, high;
    /* clang-format off */
    __asm__(SM2_FE_ADX_REDUCE(t0, t1, t2, t3)
            SM2_FE_ADX_REDUCE(t1, t2, t3, t0)
            SM2_FE_ADX_REDUCE(t2, t3, t0, t1)
            SM2_FE_ADX_REDUCE(t3, t0, t1, t2)
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [low] "=&r"(low),
            [high] "=&r"(high)
            :
            : "cc");
    /* clang-format on */
    const u256 a = {{t[0], t[1], t[2], t[3]}}, b = {{t[4], t[5], t[6], t[7]}};
    u256 sum, reduced;
    uint64_t carry = u256_add(&sum, &a, &b);
    uint64_t borrow = u256_sub(&reduced, &sum, &sm2_fe_p);
    u256_select(r, u64_mask(borrow & (carry ^ 1)), &sum, &reduced);
}

/* r = a * b. */
static inline __attribute__((always_inline)) void sm2_fe_adx_mul(u256 *r, const u256 *a, const u256 *b) {
    uint64_t t[8];
    u256_adx_mul(t, a, b);
    sm2_fe_adx_reduce(r, t);
}

/* r = a^2. */
static inline __attribute__((always_inline)) void sm2_fe_adx_sqr(u256 *r, const u256 *a) {
    uint64_t t[8];
    u256_adx_sqr(t, a);
    sm2_fe_adx_reduce(r, t);
}

#define sm2_fe_adx_add sm2_fe_add
#define sm2_fe_adx_sub sm2_fe_sub
#define sm2_fe_adx_neg sm2_fe_neg

#endif
