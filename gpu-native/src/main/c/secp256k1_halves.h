/*
 * A scalar k of secp256k1 as k1 + k2 lambda mod n with halves of 129 bits, so that k P takes half of the doublings:
 * lambda P = (beta x, y), one multiplication (Gallant, Lambert and Vanstone, CRYPTO 2001, section 2).
 *
 * The pairs (a, b) with a + b lambda = 0 mod n are a lattice with the basis v1 = (a1, b1), v2 = (a2, b2) (section 4, by
 * the extended Euclidean algorithm for n and lambda). k1 and k2 are (k, 0) - c1 v1 - c2 v2 for integers c1 and c2 near
 * b2 k / n and -b1 k / n. a1, b1 and b2 are odd and a2 is even: with c1 of the parity of k + 1 and c2 of that of k both
 * halves are odd, so that signed_windows.h writes them without zero digits. Such integers are at most 1 away, thus
 * |k1| <= a1 + a2 < 1.28 2^128 and |k2| <= b2 - b1 < 1.09 2^128.
 */
#ifndef SEALBOOK_SECP256K1_HALVES_H
#define SEALBOOK_SECP256K1_HALVES_H

#include "u256.h"

#define SECP256K1_HALVES_BITS 129

/* k1 and k2: odd magnitudes below 2^129, and 1 where a half is negative. */
typedef struct {
    u256 magnitude[2];
    uint64_t is_negative[2];
} secp256k1_halves;

/* beta, a cube root of 1 mod p. */
extern const u256 secp256k1_beta;

/* Divides any k < 2^256; k = 0 has halves too. */
void secp256k1_halves_of(secp256k1_halves *r, const u256 *k);

#endif
