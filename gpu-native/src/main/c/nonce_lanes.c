#include "nonce_lanes.h"

#include <string.h>

#include "wipe.h"

#define V_LENGTH SM3_DIGEST_LENGTH
/* V || separator || d || e. */
#define TEXT_LENGTH_MAX (V_LENGTH + 1 + 64)

typedef uint8_t lanes_block[SM3_LANES][SM3_BLOCK_LENGTH];
typedef uint8_t lanes_digest[SM3_LANES][SM3_DIGEST_LENGTH];

typedef struct {
    sm3_lanes_state inner, outer; /* hash states after the block K xor ipad, K xor opad */
    lanes_digest v;
    lanes_block block;
    lanes_digest digest;
} lanes_source;

static void set_key(lanes_source *source, const lanes_digest key) {
    for (int lane = 0; lane < SM3_LANES; lane++) {
        memset(source->block[lane], 0x36, SM3_BLOCK_LENGTH);
        for (int i = 0; i < SM3_DIGEST_LENGTH; i++) {
            source->block[lane][i] ^= key[lane][i];
        }
    }
    sm3_lanes_init(&source->inner);
    sm3_lanes_compress(&source->inner, source->block);
    for (int lane = 0; lane < SM3_LANES; lane++) {
        for (int i = 0; i < SM3_BLOCK_LENGTH; i++) {
            source->block[lane][i] ^= 0x36 ^ 0x5C;
        }
    }
    sm3_lanes_init(&source->outer);
    sm3_lanes_compress(&source->outer, source->block);
}

/* Writes the end of a block: a one bit at length, and the bits of a message whose last block this is. */
static void pad(uint8_t block[SM3_BLOCK_LENGTH], size_t length, size_t total_length) {
    memset(block + length, 0, SM3_BLOCK_LENGTH - length);
    block[length] = 0x80;
    block[SM3_BLOCK_LENGTH - 2] = (uint8_t)(total_length * 8 >> 8);
    block[SM3_BLOCK_LENGTH - 1] = (uint8_t)(total_length * 8);
}

/* digest = HMAC of texts of one length, 32 or TEXT_LENGTH_MAX bytes. */
static void hmac(lanes_source *source, uint8_t (*texts)[TEXT_LENGTH_MAX], size_t length, lanes_digest digest) {
    sm3_lanes_state state = source->inner;
    size_t left = length;
    if (length > SM3_BLOCK_LENGTH) {
        for (int lane = 0; lane < SM3_LANES; lane++) {
            memcpy(source->block[lane], texts[lane], SM3_BLOCK_LENGTH);
        }
        sm3_lanes_compress(&state, source->block);
        left -= SM3_BLOCK_LENGTH;
    }
    for (int lane = 0; lane < SM3_LANES; lane++) {
        memcpy(source->block[lane], texts[lane] + (length - left), left);
        pad(source->block[lane], left, SM3_BLOCK_LENGTH + length);
    }
    sm3_lanes_compress(&state, source->block);
    sm3_lanes_digests(&state, source->digest);
    for (int lane = 0; lane < SM3_LANES; lane++) {
        memcpy(source->block[lane], source->digest[lane], SM3_DIGEST_LENGTH);
        pad(source->block[lane], SM3_DIGEST_LENGTH, SM3_BLOCK_LENGTH + SM3_DIGEST_LENGTH);
    }
    state = source->outer;
    sm3_lanes_compress(&state, source->block);
    sm3_lanes_digests(&state, digest);
    wipe(&state, sizeof state);
}

/* V = HMAC_K(V). */
static void next_v(lanes_source *source, uint8_t (*texts)[TEXT_LENGTH_MAX]) {
    hmac(source, texts, V_LENGTH, source->v);
    for (int lane = 0; lane < SM3_LANES; lane++) {
        memcpy(texts[lane], source->v[lane], V_LENGTH);
    }
}

void nonce_lanes_first(u256 k[SM3_LANES], const u256 *const d[SM3_LANES], const u256 e[SM3_LANES]) {
    lanes_source source;
    lanes_digest key = {{0}};
    uint8_t texts[SM3_LANES][TEXT_LENGTH_MAX];
    for (int lane = 0; lane < SM3_LANES; lane++) {
        memset(texts[lane], 1, V_LENGTH);
        u256_to_bytes(texts[lane] + V_LENGTH + 1, d[lane]);
        u256_to_bytes(texts[lane] + V_LENGTH + 33, &e[lane]);
    }
    set_key(&source, key);
    for (uint8_t separator = 0; separator < 2; separator++) {
        for (int lane = 0; lane < SM3_LANES; lane++) {
            texts[lane][V_LENGTH] = separator;
        }
        hmac(&source, texts, TEXT_LENGTH_MAX, key);
        set_key(&source, key);
        next_v(&source, texts);
    }
    next_v(&source, texts);
    for (int lane = 0; lane < SM3_LANES; lane++) {
        u256_from_bytes(&k[lane], source.v[lane]);
    }
    wipe(&source, sizeof source);
    wipe(key, sizeof key);
    wipe(texts, sizeof texts);
}
