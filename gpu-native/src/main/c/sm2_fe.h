/*
 * The field of the SM2 curve (GB/T 32918.5): integers mod p = 2^256 - 2^224 - 2^96 + 2^64 - 1.
 *
 * An element a is held as a * 2^256 mod p (Montgomery form), always fully reduced, so equal elements have equal limbs.
 * Every function takes and gives such elements unless it says otherwise; pointers may be equal. No function's time or
 * memory access depends on a value, except where the name ends in _var.
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

/* r = a - b. Where that borrows, p is added, with limbs made of the borrow's mask. */
static inline void sm2_fe_sub(u256 *r, const u256 *a, const u256 *b) {
#ifdef __x86_64__
    uint64_t w0 = a->w[0], w1 = a->w[1], w2 = a->w[2], w3 = a->w[3], mask;
    __asm__("subq %5, %0\n\tsbbq %6, %1\n\tsbbq %7, %2\n\tsbbq %8, %3\n\tsbbq %4, %4"
            : "+&r"(w0), "+&r"(w1), "+&r"(w2), "+&r"(w3), "=&r"(mask)
            : "rm"(b->w[0]), "rm"(b->w[1]), "rm"(b->w[2]), "rm"(b->w[3])
            : "cc");
    __asm__("addq %4, %0\n\tadcq %5, %1\n\tadcq %4, %2\n\tadcq %6, %3"
            : "+&r"(w0), "+&r"(w1), "+&r"(w2), "+&r"(w3)
            : "r"(mask), "r"(mask << 32), "r"(mask & 0xFFFFFFFEFFFFFFFF)
            : "cc");
    *r = (u256){{w0, w1, w2, w3}};
#else
    u256_sub_mod(r, a, b, &sm2_fe_p);
#endif
}

/* r = -a. */
static inline void sm2_fe_neg(u256 *r, const u256 *a) {
    static const u256 zero;
    sm2_fe_sub(r, &zero, a);
}

#endif
