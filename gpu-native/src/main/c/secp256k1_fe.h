/*
 * The field of secp256k1 (SEC 2, 2.4.1): integers mod p = 2^256 - c, c = 2^32 + 977.
 *
 * An element is any number below 2^256 of its residue class: 0..c-1 have two forms, and secp256k1_fe_normalize chooses
 * the one below p. Every function takes and gives such elements; pointers may be equal. No function's time or memory
 * access depends on a value.
 */
#ifndef SEALBOOK_SECP256K1_FE_H
#define SEALBOOK_SECP256K1_FE_H

#include "u256.h"

#define SECP256K1_FE_C 0x1000003D1ULL

extern const u256 secp256k1_fe_p;

/* r = a * b. */
void secp256k1_fe_mul(u256 *r, const u256 *a, const u256 *b);

/* r = a^2. */
void secp256k1_fe_sqr(u256 *r, const u256 *a);

/* r = 1 / a, and 0 when a = 0; r is below p. */
void secp256k1_fe_inv(u256 *r, const u256 *a);

/* r = a^((p+1)/4): a square root of a where a has one. Returns 1 when it has, else 0. */
uint64_t secp256k1_fe_sqrt(u256 *r, const u256 *a);

/* r = a + b. */
static inline void secp256k1_fe_add(u256 *r, const u256 *a, const u256 *b) {
    u256 sum, folded, c = {{0}};
    c.w[0] = SECP256K1_FE_C & (0 - u256_add(&sum, a, b));
    /* When both additions carry, the number left is below c, so that the third cannot. */
    uint64_t carry = u256_add(&folded, &sum, &c);
    folded.w[0] += SECP256K1_FE_C & (0 - carry);
    *r = folded;
}

/* r = a - b. */
static inline void secp256k1_fe_sub(u256 *r, const u256 *a, const u256 *b) {
    u256 difference, folded, c = {{0}};
    c.w[0] = SECP256K1_FE_C & (0 - u256_sub(&difference, a, b));
    /* When both subtractions borrow, the number left is at least 2^256 - c, so that the third cannot. */
    uint64_t borrow = u256_sub(&folded, &difference, &c);
    folded.w[0] -= SECP256K1_FE_C & (0 - borrow);
    *r = folded;
}

/* r = -a. */
static inline void secp256k1_fe_neg(u256 *r, const u256 *a) {
    static const u256 zero;
    secp256k1_fe_sub(r, &zero, a);
}

/* r = the form of a below p. */
static inline void secp256k1_fe_normalize(u256 *r, const u256 *a) {
    u256_reduce_once(r, a, &secp256k1_fe_p);
}

/* Returns 1 when a = 0, else 0. */
static inline uint64_t secp256k1_fe_is_zero(const u256 *a) {
    return u256_is_zero(a) | u256_is_equal(a, &secp256k1_fe_p);
}

#endif
