/* Inversion modulo an odd number of 256 bits. */
#ifndef SEALBOOK_U256_INVERSE_H
#define SEALBOOK_U256_INVERSE_H

#include "u256.h"

/*
 * r = 1 / a mod m, for a < m, m odd, gcd(a, m) = 1; r = 0 when a = 0. Plain integers, not Montgomery form.
 *
 * Time depends on a: for public numbers only. About 3,000 cycles.
 */
void u256_inverse_var(u256 *r, const u256 *a, const u256 *m);

#endif
