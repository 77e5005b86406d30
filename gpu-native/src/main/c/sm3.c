#include "sm3.h"

#include "cpu.h"
#include "sm3_avx512.h"

#include <string.h>

#define SM3_WORD uint32_t
#include "sm3_rounds.h"

/* Bytes that end every message: a one bit, and the length in bits as 64 bits. */
#define PADDING_LENGTH_MIN 9

static const uint32_t initial_words[SM3_WORDS] = {
        0x7380166f,
        0x4914b2b9,
        0x172442d7,
        0xda8a0600,
        0xa96f30bc,
        0x163138aa,
        0xe38dee4d,
        0xb0fb0e4e,
};

static inline uint32_t load32(const uint8_t *bytes) {
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return __builtin_bswap32(word);
}

static inline void store32(uint8_t *bytes, uint32_t word) {
    word = __builtin_bswap32(word);
    memcpy(bytes, &word, sizeof word);
}

static inline void store64(uint8_t *bytes, uint64_t word) {
    word = __builtin_bswap64(word);
    memcpy(bytes, &word, sizeof word);
}

void sm3_init(sm3_state *state) {
    memcpy(state->words, initial_words, sizeof initial_words);
    state->length = 0;
}

void sm3_compress(uint32_t words[SM3_WORDS], const uint8_t *blocks, size_t block_count) {
    for (; block_count > 0; block_count--, blocks += SM3_BLOCK_LENGTH) {
        uint32_t w[16];
        for (int i = 0; i < 16; i++) {
            w[i] = load32(blocks + 4 * i);
        }
        sm3_rounds(words, w);
    }
}

void sm3_update(sm3_state *state, const uint8_t *bytes, size_t length) {
    size_t pending = state->length % SM3_BLOCK_LENGTH;
    state->length += length;
    if (pending > 0) {
        size_t room = SM3_BLOCK_LENGTH - pending;
        size_t taken = length < room ? length : room;
        memcpy(state->pending + pending, bytes, taken);
        if (taken < room) {
            return;
        }
        sm3_compress(state->words, state->pending, 1);
        bytes += taken;
        length -= taken;
    }
    sm3_compress(state->words, bytes, length / SM3_BLOCK_LENGTH);
    size_t left = length % SM3_BLOCK_LENGTH;
    if (left > 0) {
        memcpy(state->pending, bytes + (length - left), left);
    }
}

void sm3_final(sm3_state *state, uint8_t digest[SM3_DIGEST_LENGTH]) {
    size_t pending = state->length % SM3_BLOCK_LENGTH;
    uint8_t *block = state->pending;
    block[pending++] = 0x80;
    if (pending > SM3_BLOCK_LENGTH - 8) {
        memset(block + pending, 0, SM3_BLOCK_LENGTH - pending);
        sm3_compress(state->words, block, 1);
        pending = 0;
    }
    memset(block + pending, 0, SM3_BLOCK_LENGTH - 8 - pending);
    store64(block + SM3_BLOCK_LENGTH - 8, state->length * 8);
    sm3_compress(state->words, block, 1);
    for (int i = 0; i < SM3_WORDS; i++) {
        store32(digest + 4 * i, state->words[i]);
    }
}

void sm3_lanes_init(sm3_lanes_state *state) {
    for (int i = 0; i < SM3_WORDS; i++) {
        for (int lane = 0; lane < SM3_LANES; lane++) {
            state->words[i][lane] = initial_words[i];
        }
    }
}

void sm3_lanes_compress(sm3_lanes_state *state, uint8_t blocks[SM3_LANES][SM3_BLOCK_LENGTH]) {
#ifdef __x86_64__
    if (cpu_has_avx512_ifma()) {
        sm3_avx512_compress(state, blocks);
        return;
    }
#endif
    for (int lane = 0; lane < SM3_LANES; lane++) {
        uint32_t words[SM3_WORDS];
        for (int i = 0; i < SM3_WORDS; i++) {
            words[i] = state->words[i][lane];
        }
        sm3_compress(words, blocks[lane], 1);
        for (int i = 0; i < SM3_WORDS; i++) {
            state->words[i][lane] = words[i];
        }
    }
}

void sm3_lanes_digests(const sm3_lanes_state *state, uint8_t digests[SM3_LANES][SM3_DIGEST_LENGTH]) {
    for (int lane = 0; lane < SM3_LANES; lane++) {
        for (int i = 0; i < SM3_WORDS; i++) {
            store32(digests[lane] + 4 * i, state->words[i][lane]);
        }
    }
}

/*
 * Copies what of source[0..length) lies in block, where the source begins at begin of a text of which block is the
 * bytes from offset.
 */
static void place(uint8_t *block, size_t offset, const uint8_t *source, size_t begin, size_t length) {
    size_t from = begin > offset ? begin : offset;
    size_t end = begin + length < offset + SM3_BLOCK_LENGTH ? begin + length : offset + SM3_BLOCK_LENGTH;
    if (from < end) {
        memcpy(block + (from - offset), source + (from - begin), end - from);
    }
}

/* Writes the bytes from offset of the padded text Z || message. */
static void digest_block(uint8_t block[SM3_BLOCK_LENGTH], size_t offset, const uint8_t *z, const uint8_t *message,
        size_t message_length) {
    size_t text_length = SM2_Z_LENGTH + message_length;
    memset(block, 0, SM3_BLOCK_LENGTH);
    place(block, offset, z, 0, SM2_Z_LENGTH);
    place(block, offset, message, SM2_Z_LENGTH, message_length);
    static const uint8_t one_bit = 0x80;
    place(block, offset, &one_bit, text_length, 1);
    if (offset + SM3_BLOCK_LENGTH >= text_length + PADDING_LENGTH_MIN) {
        store64(block + SM3_BLOCK_LENGTH - 8, (uint64_t)text_length * 8);
    }
}

static void sixteen_digests(uint8_t (*e)[SM3_DIGEST_LENGTH], const uint8_t *const *z, const uint8_t *const *messages,
        size_t message_length) {
    size_t padded_length = SM2_Z_LENGTH + message_length + PADDING_LENGTH_MIN;
    uint8_t blocks[SM3_LANES][SM3_BLOCK_LENGTH];
    sm3_lanes_state state;
    sm3_lanes_init(&state);
    for (size_t offset = 0; offset < padded_length; offset += SM3_BLOCK_LENGTH) {
        for (int lane = 0; lane < SM3_LANES; lane++) {
            digest_block(blocks[lane], offset, z[lane], messages[lane], message_length);
        }
        sm3_lanes_compress(&state, blocks);
    }
    sm3_lanes_digests(&state, e);
}

void sm3_sm2_digests(uint8_t (*e)[SM3_DIGEST_LENGTH], const uint8_t *const *z, const uint8_t *const *messages,
        size_t message_length, size_t count) {
    size_t done = 0;
    for (; count - done >= SM3_LANES; done += SM3_LANES) {
        sixteen_digests(e + done, z + done, messages + done, message_length);
    }
    for (; done < count; done++) {
        sm3_state state;
        sm3_init(&state);
        sm3_update(&state, z[done], SM2_Z_LENGTH);
        sm3_update(&state, messages[done], message_length);
        sm3_final(&state, e[done]);
    }
}
