/* Multiples of the base point of the SM2 curve for secret scalars; fixed_base.h has the method. */
#ifndef SEALBOOK_SM2_BASE_H
#define SEALBOOK_SM2_BASE_H

#include "fixed_base.h"

extern fixed_base_window sm2_base_table[FIXED_BASE_WINDOWS];

/*
 * Makes the table (about 4 ms); must have returned before the first multiplication. Calling it again does no harm, at
 * the same time does.
 */
void sm2_base_prepare(void);

/* r = k G for 1 <= k < n, in a time that does not depend on k; z = 0 for a few k that an attacker cannot choose. */
void sm2_base_multiply(fixed_base_point *r, const u256 *k);

/* The body of the former for processors with BMI2 and ADX. */
void sm2_base_multiply_adx(fixed_base_point *r, const u256 *k);

/* r = 1 / a for an element of sm2_fe.h, and 0 when a = 0; constant time. */
void sm2_base_fe_inverse(u256 *r, const u256 *a);

/* x = the first coordinate of a point, an integer below p, from z_inverse = 1 / z. */
void sm2_base_affine_x(u256 *x, const fixed_base_point *point, const u256 *z_inverse);

#endif
