/*
 * The group of the SM2 curve y^2 = x^3 - 3 x + b over the field of sm2_fe.h (GB/T 32918.5), of prime order n.
 *
 * Coordinates are field elements in Montgomery form. An affine point is never the point at infinity; a Jacobian point
 * (x, y, z) is (x / z^2, y / z^3), and for infinity when z = 0. Pointers may be equal.
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

/* The order n and p - n, plain integers, and the base point G. */
extern const u256 sm2_ge_order;
extern const u256 sm2_ge_order_gap;
extern const sm2_ge_affine sm2_ge_generator;

/* Returns 1 when the point lies on the curve, else 0. */
int sm2_ge_is_on_curve_var(const sm2_ge_affine *a);

/* r = a with z = 1. */
void sm2_ge_from_affine(sm2_ge_jacobian *r, const sm2_ge_affine *a);

/* r = 2 a; of infinity it is infinity. */
void sm2_ge_double(sm2_ge_jacobian *r, const sm2_ge_jacobian *a);

/* r[i] = a[i] for all i < count with one inversion. No a[i] may be infinity. r and a do not overlap. */
void sm2_ge_to_affine_var(sm2_ge_affine *r, const sm2_ge_jacobian *a, size_t count);

/*
 * x mod n = a leaves one or two x below p: a, and a + n where a is below p - n. Writes those as integers and returns
 * how many there are. a is below n.
 */
static inline int sm2_ge_candidates_of_x(u256 candidates[2], const u256 *a) {
    candidates[0] = *a;
    u256_add(&candidates[1], a, &sm2_ge_order);
    return u256_is_less(a, &sm2_ge_order_gap) ? 2 : 1;
}

#endif
