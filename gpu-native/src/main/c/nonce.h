/*
 * Nonces from the private key and the digest, RFC 6979, 3.2, for orders of 256 bits: HMAC with the scheme's own hash.
 *
 * Constant time in the key; which candidates were refused (one in 2^32 for SM2, one in 2^128 for secp256k1) is not
 * secret.
 */
#ifndef SEALBOOK_NONCE_H
#define SEALBOOK_NONCE_H

#include "block_hash.h"
#include "scalar.h"

typedef struct {
    const block_hash *hash;
    uint32_t inner[BLOCK_HASH_WORDS]; /* hash states after the block K xor ipad, K xor opad */
    uint32_t outer[BLOCK_HASH_WORDS];
    uint8_t v[BLOCK_HASH_DIGEST_LENGTH];
} nonce_source;

/*
 * Steps a to h.2 for the private key d and the digest e mod n: k = the first candidate, any 256-bit number. The source
 * holds secrets: nonce_wipe ends it.
 */
void nonce_first(nonce_source *source, const block_hash *hash, const u256 *d, const u256 *e, u256 *k);

/* Step h.3: k = the next candidate, after one that is not in 1..n-1 or gives no signature. */
void nonce_next(nonce_source *source, u256 *k);

void nonce_wipe(nonce_source *source);

/* Makes a signature with the nonce k, in 1..n-1; returns 0 if k gives none. */
typedef uint64_t (*nonce_use)(void *signature, const u256 *k);

/* Calls use with one candidate after the other until it returns 1: the loop of both schemes. */
void nonce_search(const block_hash *hash, const scalar_order *order, const u256 *d, const u256 *e, nonce_use use,
        void *signature);

#endif
