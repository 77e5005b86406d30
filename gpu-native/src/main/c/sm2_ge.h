/*
 * The group of the SM2 curve y^2 = x^3 - 3 x + b over the field of sm2_fe.h (GB/T 32918.5), of prime order n.
 *
 * Coordinates are field elements in Montgomery form. An affine point is never the point at infinity; a Jacobian point (x, y, z) stands for
 * (x / z^2, y / z^3), and for infinity when z = 0. Pointers may be equal.
 */
#ifndef SEALBOOK_SM2_GE_H
#define SEALBOOK_SM2_GE_H

#include <stddef.h>

#include "sm2_fe.h"

typedef struct {
    u256 x, y;
} sm2_ge_affine;

typedef struct {
    u256 x, y, z;
} sm2_ge_jacobian;

/* The order n, a plain integer, and the base point G. */
extern const u256 sm2_ge_order;
extern const sm2_ge_affine sm2_ge_generator;

/* Returns 1 when the point lies on the curve, else 0. */
int sm2_ge_is_on_curve_var(const sm2_ge_affine *a);

/* r = a with z = 1. */
void sm2_ge_from_affine(sm2_ge_jacobian *r, const sm2_ge_affine *a);

/* r = 2 a; of infinity it is infinity. */
void sm2_ge_double(sm2_ge_jacobian *r, const sm2_ge_jacobian *a);

/* r = a + b, for every a and b. */
void sm2_ge_add_affine_var(sm2_ge_jacobian *r, const sm2_ge_jacobian *a, const sm2_ge_affine *b);

/* r = -a. */
void sm2_ge_neg_affine(sm2_ge_affine *r, const sm2_ge_affine *a);

/* r[i] = a[i] for all i < count with one inversion. No a[i] may be infinity. r and a do not overlap. */
void sm2_ge_to_affine_var(sm2_ge_affine *r, const sm2_ge_jacobian *a, size_t count);

/* r = s G + t P for any s, t < n. Complete and slow: about 100,000 cycles. */
void sm2_ge_multiply_add_var(sm2_ge_jacobian *r, const u256 *s, const u256 *t, const sm2_ge_affine *p);

#endif
