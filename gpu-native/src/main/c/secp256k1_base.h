/* Multiples of the base point of secp256k1 for secret scalars; fixed_base.h has the method. */
#ifndef SEALBOOK_SECP256K1_BASE_H
#define SEALBOOK_SECP256K1_BASE_H

#include "fixed_base.h"

extern fixed_base_window secp256k1_base_table[FIXED_BASE_WINDOWS];

/*
 * Makes the table (about 4 ms); must have returned before the first multiplication. Calling it again does no harm, at
 * the same time does.
 */
void secp256k1_base_prepare(void);

/* r = k G for 1 <= k < n, in a time that does not depend on k; z = 0 for a few k that an attacker cannot choose. */
void secp256k1_base_multiply(fixed_base_point *r, const u256 *k);

/* The body of the former for processors with BMI2 and ADX. */
void secp256k1_base_multiply_adx(fixed_base_point *r, const u256 *k);

/* The coordinates of a point, integers below p, from z_inverse = 1 / z. */
void secp256k1_base_affine(u256 *x, u256 *y, const fixed_base_point *point, const u256 *z_inverse);

#endif
