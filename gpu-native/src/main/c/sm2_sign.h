/*
 * SM2 signatures, GB/T 32918.2, 6.1: r = e + x(kG), s = (1+d)^-1 (k - r d) mod n, computed as (1+d)^-1 (k + r) - r with
 * the inverse kept.
 *
 * Nonces are those of RFC 6979 with SM3. No branch and no address depends on d or on a nonce that is used; copies of
 * secrets are wiped.
 */
#ifndef SEALBOOK_SM2_SIGN_H
#define SEALBOOK_SM2_SIGN_H

#include <stddef.h>

#include "u256.h"

/* r and s, 32 bytes each, big-endian, and the recovery byte, which is 0 for SM2. */
#define SIGNATURE_LENGTH 65

/* A private key, made by sm2_sign_key; its holder wipes it. */
typedef struct {
    u256 d;
    u256 inverse; /* (1+d)^-1 in Montgomery form */
} sm2_signing_key;

/* Makes the tables; must have returned before the first signature. Not to be called by two threads at the same time. */
void sm2_sign_prepare(void);

/* Reads d, 32 bytes, big-endian; returns 0, and leaves key all zero, when it is not in 1..n-2. */
int sm2_sign_key(sm2_signing_key *key, const uint8_t scalar[32]);

/* Signs the digest e = SM3(Z || message), any 32 bytes. */
void sm2_sign(uint8_t signature[SIGNATURE_LENGTH], const sm2_signing_key *key, const uint8_t e[32]);

/*
 * Signs count digests, any number, each with a key of its own: the same signatures as one at a time, several times
 * faster from some ten of them on where the processor has AVX-512 IFMA. keys may repeat.
 */
void sm2_sign_many(uint8_t (*signatures)[SIGNATURE_LENGTH], const sm2_signing_key *const *keys, const uint8_t (*e)[32],
        size_t count);

#endif
