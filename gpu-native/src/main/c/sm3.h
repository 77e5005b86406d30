/*
 * SM3, GB/T 32905-2016: one message, or sixteen messages of one length side by side.
 *
 * Nothing here branches or indexes on message bytes, so that secrets may be hashed; who hashes secrets wipes the state
 * afterwards.
 */
#ifndef SEALBOOK_SM3_H
#define SEALBOOK_SM3_H

#include <stddef.h>
#include <stdint.h>

#define SM3_DIGEST_LENGTH 32
#define SM3_BLOCK_LENGTH 64
#define SM3_WORDS 8
/* Messages that are hashed side by side. */
#define SM3_LANES 16
/* Bytes of Z, the digest of an SM2 owner's identity. */
#define SM2_Z_LENGTH 32

typedef struct {
    uint32_t words[SM3_WORDS];
    uint64_t length; /* bytes taken so far */
    uint8_t pending[SM3_BLOCK_LENGTH];
} sm3_state;

/* Sixteen chaining values; lane l of word i is words[i][l]. */
typedef struct {
    _Alignas(64) uint32_t words[SM3_WORDS][SM3_LANES];
} sm3_lanes_state;

void sm3_init(sm3_state *state);

void sm3_update(sm3_state *state, const uint8_t *bytes, size_t length);

/* Writes the digest; the state is spent. */
void sm3_final(sm3_state *state, uint8_t digest[SM3_DIGEST_LENGTH]);

/* The compression function of 5.3 on consecutive blocks: words are chained in place. */
void sm3_compress(uint32_t words[SM3_WORDS], const uint8_t *blocks, size_t block_count);

void sm3_lanes_init(sm3_lanes_state *state);

/* The compression function on one block of each lane. */
void sm3_lanes_compress(sm3_lanes_state *state, uint8_t blocks[SM3_LANES][SM3_BLOCK_LENGTH]);

/* Writes the chaining values of all lanes as digests. */
void sm3_lanes_digests(const sm3_lanes_state *state, uint8_t digests[SM3_LANES][SM3_DIGEST_LENGTH]);

/*
 * What SM2 signs, GB/T 32918.2, 6.1 A1 and A2: e = SM3(Z || message), for count messages of one length.
 *
 * e[i] receives 32 bytes, big-endian, not reduced modulo n; z[i] points to the 32 bytes of the key's Z, messages[i] to
 * message_length bytes (any length, pointers may repeat). All memory stays the caller's. Cost: ceil((41 +
 * message_length) / 64) blocks a message (2 for a region of 48 bytes), at the rate of SM3_LANES messages together where
 * the processor has AVX-512.
 */
void sm3_sm2_digests(uint8_t (*e)[SM3_DIGEST_LENGTH], const uint8_t *const *z, const uint8_t *const *messages,
        size_t message_length, size_t count);

#endif
