/*
 * What the host hands over, in the byte order of the wire, so that the host copies and the device swaps.
 *
 * A row is one signature:
 *
 *     offset  length  meaning
 *     0       32      r, highest byte first
 *     32      32      s, highest byte first
 *     64      56      the message, then 0x80, then zeros; or e = SM3(Z || message), highest byte first, then zeros
 *     120     4       index of the key, lowest byte first
 *     124     4       length of the message, 0..55, or SM2_ROW_DIGEST_GIVEN, lowest byte first
 *
 * A key is 96 bytes: x, y and Z (GB/T 32918.2, 5.5), 32 bytes each, highest byte first. The point has been checked to
 * be on the curve.
 *
 * The host guarantees indices and lengths; a wrong length gives a wrong digest and nothing worse.
 */
#pragma once
#include "sm2_scalar.cuh"
#include "sm3.cuh"

#define SM2_ROW_QUADS 8
#define SM2_KEY_QUADS 6
#define SM2_ROW_DIGEST_GIVEN 0xFFFFFFFFu
/* Z, 23 bytes of message, the bit and the length fill one block. */
#define SM2_ROW_ONE_BLOCK_MAX 23
#define SM2_Z_LENGTH 32

#define SM2_INVALID 0
#define SM2_VALID 1
/* Two points met in the sum, which an honest signer does not live to see. The host decides. */
#define SM2_UNDECIDED 2

FN u256 sm2_row_r(const uint4 *row) {
    return u256_load_bytes(row);
}

FN u256 sm2_row_s(const uint4 *row) {
    return u256_load_bytes(row + 2);
}

FN uint32_t sm2_row_key(const uint4 *row) {
    return row[7].z;
}

FN uint32_t sm2_row_message_length(const uint4 *row) {
    return row[7].w;
}

/* w[0..7] = eight big-endian words. */
FN void sm2_row_words(uint32_t *w, const uint4 *from) {
    u256 words = u256_load(from);
    UNROLL
    for (int i = 0; i < 8; i++) {
        w[i] = byte_swap(words.w[i]);
    }
}

/* e, GB/T 32918.2, 7.1 B3 and B4. */
FN u256 sm2_row_digest(const uint4 *row, const uint4 *key) {
    uint32_t length = sm2_row_message_length(row);
    if (length == SM2_ROW_DIGEST_GIVEN) {
        return u256_load_bytes(row + 4);
    }
    sm3_state state = SM3_INITIAL;
    int last = length > SM2_ROW_ONE_BLOCK_MAX ? 1 : 0;
    NO_UNROLL
    for (int block = 0; block <= last; block++) {
        uint32_t w[16];
        if (block == 0) {
            sm2_row_words(w, key + 4);
            sm2_row_words(w + 8, row + 4);
        } else {
            sm2_row_words(w, row + 6);
            UNROLL
            for (int i = 6; i < 16; i++) {
                w[i] = 0;
            }
        }
        if (block == last) {
            w[15] = (SM2_Z_LENGTH + length) * 8;
        }
        sm3_compress(state, w);
    }
    u256 e;
    UNROLL
    for (int i = 0; i < 8; i++) {
        e.w[i] = state.v[7 - i];
    }
    return e;
}
