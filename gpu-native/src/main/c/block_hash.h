/*
 * What SM3 and SHA-256 have in common: eight 32-bit words chained through blocks of 64 bytes, big-endian, the length in
 * bits at the end. Whatever is built on such a hash (HMAC, nonces) is written once.
 */
#ifndef SEALBOOK_BLOCK_HASH_H
#define SEALBOOK_BLOCK_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BLOCK_HASH_WORDS 8
#define BLOCK_HASH_DIGEST_LENGTH 32
#define BLOCK_HASH_BLOCK_LENGTH 64

typedef struct {
    uint32_t initial[BLOCK_HASH_WORDS];
    void (*compress)(uint32_t words[BLOCK_HASH_WORDS], const uint8_t *blocks, size_t block_count);
} block_hash;

extern const block_hash block_hash_sm3;
extern const block_hash block_hash_sha256;

/*
 * Ends a message: compresses its tail into words and writes the digest. words have taken total_length - tail_length
 * bytes, a multiple of 64, before; tail_length is any.
 */
void block_hash_finish(const block_hash *hash, uint32_t words[BLOCK_HASH_WORDS], const uint8_t *tail,
        size_t tail_length, uint64_t total_length, uint8_t digest[BLOCK_HASH_DIGEST_LENGTH]);

#endif
