/*
 * The field of the SM2 curve (GB/T 32918.5): integers mod p = 2^256 - 2^224 - 2^96 + 2^64 - 1.
 *
 * An element a is held as a * 2^256 mod p (Montgomery form), always fully reduced, so equal elements have equal limbs. Every function
 * takes and gives such elements unless it says otherwise; pointers may be equal. No function's time or memory access depends on a value,
 * except where the name ends in _var.
 */
#ifndef SEALBOOK_SM2_FE_H
#define SEALBOOK_SM2_FE_H

#include "u256.h"

/* p, 1 and 2^512 mod p as plain limbs; the second is the field's 1, the third turns integers into elements. */
extern const u256 sm2_fe_p;
extern const u256 sm2_fe_one;
extern const u256 sm2_fe_r2;

/* r = a * b. */
void sm2_fe_mul(u256 *r, const u256 *a, const u256 *b);

/* r = a^2. */
void sm2_fe_sqr(u256 *r, const u256 *a);

/* r = a^(2^n), n >= 1. */
void sm2_fe_sqr_n(u256 *r, const u256 *a, int n);

/* r = 1 / a, and 0 when a = 0: a^(p-2), Fermat. */
void sm2_fe_inv(u256 *r, const u256 *a);

/* As sm2_fe_inv, several times faster, for public elements. */
void sm2_fe_inv_var(u256 *r, const u256 *a);

/* r = the element of the integer a < 2^256. */
void sm2_fe_from_integer(u256 *r, const u256 *a);

/* r = the integer of the element a, 0 <= r < p. */
void sm2_fe_to_integer(u256 *r, const u256 *a);

/* r = a + b. */
static inline void sm2_fe_add(u256 *r, const u256 *a, const u256 *b) {
    u256_add_mod(r, a, b, &sm2_fe_p);
}

/* r = a - b. */
static inline void sm2_fe_sub(u256 *r, const u256 *a, const u256 *b) {
    u256_sub_mod(r, a, b, &sm2_fe_p);
}

/* r = -a. */
static inline void sm2_fe_neg(u256 *r, const u256 *a) {
    static const u256 zero;
    u256_sub_mod(r, &zero, a, &sm2_fe_p);
}

#endif
