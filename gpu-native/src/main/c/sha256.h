/*
 * SHA-256, FIPS 180-4, with the processor's SHA instructions where it has them. Nothing branches or indexes on message
 * bytes.
 */
#ifndef SEALBOOK_SHA256_H
#define SEALBOOK_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_DIGEST_LENGTH 32

extern const uint32_t sha256_round_constants[64];

/* The compression function of 6.2.2 on consecutive blocks of 64 bytes: words are chained in place. */
void sha256_compress(uint32_t words[8], const uint8_t *blocks, size_t block_count);

void sha256_digest(uint8_t digest[SHA256_DIGEST_LENGTH], const uint8_t *message, size_t length);

/* The body of sha256_compress for processors with SHA and SSE 4.1. */
void sha256_shani_compress(uint32_t words[8], const uint8_t *blocks, size_t block_count);

#endif
