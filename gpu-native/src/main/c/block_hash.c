#include "block_hash.h"

#include <string.h>

#include "sha256.h"
#include "sm3.h"
#include "wipe.h"

const block_hash block_hash_sm3 = {
        {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e},
        sm3_compress,
};

const block_hash block_hash_sha256 = {
        {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
        sha256_compress,
};

void block_hash_finish(const block_hash *hash, uint32_t words[BLOCK_HASH_WORDS], const uint8_t *tail,
        size_t tail_length, uint64_t total_length, uint8_t digest[BLOCK_HASH_DIGEST_LENGTH]) {
    size_t whole = tail_length / BLOCK_HASH_BLOCK_LENGTH;
    size_t left = tail_length % BLOCK_HASH_BLOCK_LENGTH;
    hash->compress(words, tail, whole);
    uint8_t last[2 * BLOCK_HASH_BLOCK_LENGTH] = {0};
    memcpy(last, tail + (tail_length - left), left);
    last[left] = 0x80;
    size_t blocks = left < BLOCK_HASH_BLOCK_LENGTH - 8 ? 1 : 2;
    uint64_t bits = __builtin_bswap64(total_length * 8);
    memcpy(last + blocks * BLOCK_HASH_BLOCK_LENGTH - 8, &bits, sizeof bits);
    hash->compress(words, last, blocks);
    for (int i = 0; i < BLOCK_HASH_WORDS; i++) {
        uint32_t word = __builtin_bswap32(words[i]);
        memcpy(digest + 4 * i, &word, sizeof word);
    }
    wipe(last, sizeof last);
}
