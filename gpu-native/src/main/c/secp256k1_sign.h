/*
 * ECDSA signatures on secp256k1, SEC 1, 4.1.3: R = kG, r = x(R), s = k^-1 (e + r d) mod n, then the lower of s and n -
 * s.
 *
 * The recovery byte is read off R: bit 0 is the parity of y(R), flipped where n - s was taken, bit 1 is x(R) >= n.
 * Nonces are those of RFC 6979 with SHA-256. No branch and no address depends on d or on a nonce that is used; copies
 * of secrets are wiped.
 */
#ifndef SEALBOOK_SECP256K1_SIGN_H
#define SEALBOOK_SECP256K1_SIGN_H

#include "u256.h"

#define SIGNATURE_LENGTH 65

/* A private key, made by secp256k1_sign_key; its holder wipes it. */
typedef struct {
    u256 d;
    u256 montgomery_d;
} secp256k1_signing_key;

/* Makes the tables; must have returned before the first signature. Not to be called by two threads at the same time. */
void secp256k1_sign_prepare(void);

/* Reads d, 32 bytes, big-endian; returns 0, and leaves key all zero, when it is not in 1..n-1. */
int secp256k1_sign_key(secp256k1_signing_key *key, const uint8_t scalar[32]);

/* Signs the digest e = SHA-256(message), any 32 bytes. */
void secp256k1_sign(uint8_t signature[SIGNATURE_LENGTH], const secp256k1_signing_key *key, const uint8_t e[32]);

#endif
