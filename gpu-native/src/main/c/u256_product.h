/* Products of numbers of 256 bits as eight limbs, in C: what every field begins with. u256_adx.h has them with MULX. */
#ifndef SEALBOOK_U256_PRODUCT_H
#define SEALBOOK_U256_PRODUCT_H

#include "u256.h"

/* t = a * b. */
static inline __attribute__((always_inline)) void u256_mul_wide(uint64_t t[8], const u256 *a, const u256 *b) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; j++) {
        t[j] = u64_mul_add(a->w[0], b->w[j], 0, &carry);
    }
    t[4] = carry;
    for (int i = 1; i < 4; i++) {
        carry = 0;
        for (int j = 0; j < 4; j++) {
            t[i + j] = u64_mul_add(a->w[i], b->w[j], t[i + j], &carry);
        }
        t[i + 4] = carry;
    }
}

/* t = a^2. */
static inline __attribute__((always_inline)) void u256_sqr_wide(uint64_t t[8], const u256 *a) {
    uint64_t carry = 0;
    const uint64_t *w = a->w;
    /* The products of different limbs, once each. */
    t[1] = u64_mul_add(w[0], w[1], 0, &carry);
    t[2] = u64_mul_add(w[0], w[2], 0, &carry);
    t[3] = u64_mul_add(w[0], w[3], 0, &carry);
    t[4] = carry;
    carry = 0;
    t[3] = u64_mul_add(w[1], w[2], t[3], &carry);
    t[4] = u64_mul_add(w[1], w[3], t[4], &carry);
    t[5] = carry;
    carry = 0;
    t[5] = u64_mul_add(w[2], w[3], t[5], &carry);
    t[6] = carry;
    /* Doubled, and the squares added. */
    t[7] = t[6] >> 63;
    for (int i = 6; i > 1; i--) {
        t[i] = t[i] << 1 | t[i - 1] >> 63;
    }
    t[1] <<= 1;
    carry = 0;
    for (int i = 0; i < 4; i++) {
        u128 square = (u128)w[i] * w[i];
        t[2 * i] = u64_add(i == 0 ? 0 : t[2 * i], (uint64_t)square, &carry);
        t[2 * i + 1] = u64_add(t[2 * i + 1], (uint64_t)(square >> 64), &carry);
    }
}

#endif
