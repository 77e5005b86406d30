/* The products of secp256k1_fe.h with MULX and ADX, inline; for files whose names have _adx. */
#ifndef SEALBOOK_SECP256K1_FE_ADX_H
#define SEALBOOK_SECP256K1_FE_ADX_H

#include "secp256k1_fe.h"
#include "u256_adx.h"

/* r = t mod p: the high half times c is added to the low one, then what overflows likewise, twice. */
static inline __attribute__((always_inline)) void secp256k1_fe_adx_fold(u256 *r, uint64_t t[8]) {
    uint64_t low, high, over, c = SECP256K1_FE_C;
    __asm__("xorl %k[high], %k[high]\n\t"
            "mulxq %[t4], %[low], %[high]\n\t"
            "adcxq %[low], %[t0]\n\t"
            "adoxq %[high], %[t1]\n\t"
            "mulxq %[t5], %[low], %[high]\n\t"
            "adcxq %[low], %[t1]\n\t"
            "adoxq %[high], %[t2]\n\t"
            "mulxq %[t6], %[low], %[high]\n\t"
            "adcxq %[low], %[t2]\n\t"
            "adoxq %[high], %[t3]\n\t"
            "mulxq %[t7], %[low], %[over]\n\t"
            "movl $0, %k[high]\n\t"
            "adcxq %[low], %[t3]\n\t"
            "adoxq %[high], %[over]\n\t"
            "adcxq %[high], %[over]\n\t"
            "mulxq %[over], %[low], %[high]\n\t"
            "addq %[low], %[t0]\n\t"
            "adcq %[high], %[t1]\n\t"
            "adcq $0, %[t2]\n\t"
            "adcq $0, %[t3]\n\t"
            "sbbq %[low], %[low]\n\t"
            "andq %[c], %[low]\n\t"
            "addq %[low], %[t0]\n\t"
            "adcq $0, %[t1]\n\t"
            : [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [low] "=&r"(low),
            [high] "=&r"(high), [over] "=&r"(over)
            : [t4] "rm"(t[4]), [t5] "rm"(t[5]), [t6] "rm"(t[6]), [t7] "rm"(t[7]), [c] "d"(c)
            : "cc");
    *r = (u256){{t[0], t[1], t[2], t[3]}};
}

/* r = a * b. */
static inline __attribute__((always_inline)) void secp256k1_fe_adx_mul(u256 *r, const u256 *a, const u256 *b) {
    uint64_t t[8];
    u256_adx_mul(t, a, b);
    secp256k1_fe_adx_fold(r, t);
}

/* r = a^2. */
static inline __attribute__((always_inline)) void secp256k1_fe_adx_sqr(u256 *r, const u256 *a) {
    uint64_t t[8];
    u256_adx_sqr(t, a);
    secp256k1_fe_adx_fold(r, t);
}

#define secp256k1_fe_adx_add secp256k1_fe_add
#define secp256k1_fe_adx_sub secp256k1_fe_sub
#define secp256k1_fe_adx_neg secp256k1_fe_neg

#endif
