/*
 * Inverses modulo an odd number below 2^256, in constant time.
 *
 * D. J. Bernstein, B.-Y. Yang: Fast constant-time gcd computation and modular inversion (TCHES 2019), with division
 * steps that start at delta = 1/2; 590 of them suffice for 256 bits (P. Wuille's bound by convex hulls, proved again by
 * others).
 */
#ifndef SEALBOOK_U256_SECRET_INVERSE_H
#define SEALBOOK_U256_SECRET_INVERSE_H

#include "u256.h"

typedef struct {
    u256 m;             /* odd, above 2^255 */
    uint64_t inverse62; /* m^-1 mod 2^62 */
} u256_secret_modulus;

/* r = 1 / a mod m, 0 <= r < m, for 0 <= a < m; r = 0 when a = 0. Time does not depend on a. */
void u256_secret_inverse(u256 *r, const u256 *a, const u256_secret_modulus *modulus);

#endif
