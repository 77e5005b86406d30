/*
 * Integers modulo the order n of a curve, in constant time.
 *
 * Scalars are plain integers below n unless said otherwise; the Montgomery form of a is a * 2^256 mod n.
 */
#ifndef SEALBOOK_SCALAR_H
#define SEALBOOK_SCALAR_H

#include "u256_secret_inverse.h"

typedef struct {
    u256_secret_modulus n;
    uint64_t negated_inverse64; /* -1/n mod 2^64 */
    u256 r2;                    /* 2^512 mod n */
} scalar_order;

/* n of GB/T 32918.5. */
extern const scalar_order sm2_order;
/* n of SEC 2, 2.4.1. */
extern const scalar_order secp256k1_order;

/*
 * r = a * b / 2^256 mod n, for a < 2^256 and b < n: the product of two scalars when one of them is in Montgomery form.
 */
void scalar_mul(u256 *r, const u256 *a, const u256 *b, const scalar_order *order);

/* r = the Montgomery form of a, for a < 2^256. */
static inline void scalar_to_montgomery(u256 *r, const u256 *a, const scalar_order *order) {
    scalar_mul(r, a, &order->r2, order);
}

/* r = 1 / a, and 0 when a = 0. */
static inline void scalar_inverse(u256 *r, const u256 *a, const scalar_order *order) {
    u256_secret_inverse(r, a, &order->n);
}

static inline void scalar_add(u256 *r, const u256 *a, const u256 *b, const scalar_order *order) {
    u256_add_mod(r, a, b, &order->n.m);
}

static inline void scalar_sub(u256 *r, const u256 *a, const u256 *b, const scalar_order *order) {
    u256_sub_mod(r, a, b, &order->n.m);
}

/* r = a mod n, for a < 2^256: both orders are above 2^255. */
static inline void scalar_reduce(u256 *r, const u256 *a, const scalar_order *order) {
    u256_reduce_once(r, a, &order->n.m);
}

/* Returns 1 when 0 < a < n, else 0. */
static inline uint64_t scalar_is_valid(const u256 *a, const scalar_order *order) {
    return u256_is_less(a, &order->n.m) & (u256_is_zero(a) ^ 1);
}

#endif
