/*
 * Sixteen SM3 compressions side by side: one instruction works on the same word of sixteen messages. Needs AVX-512 F
 * and BW.
 */
#include "sm3_avx512.h"

#include <immintrin.h>

typedef uint32_t word_of_lanes __attribute__((vector_size(4 * SM3_LANES)));

#define SM3_WORD word_of_lanes
#include "sm3_rounds.h"

/* Turns sixteen rows of sixteen words into columns: word j of row i becomes word i of row j. */
static inline void transpose(__m512i rows[16]) {
    __m512i t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
        rows[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        rows[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        rows[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        rows[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    /* rows[4 q + c] now holds words c, 4 + c, 8 + c, 12 + c of messages 4 q .. 4 q + 3, a quarter each. */
    for (int c = 0; c < 4; c++) {
        __m512i low01 = _mm512_shuffle_i32x4(rows[c], rows[4 + c], 0x88);
        __m512i high01 = _mm512_shuffle_i32x4(rows[c], rows[4 + c], 0xdd);
        __m512i low23 = _mm512_shuffle_i32x4(rows[8 + c], rows[12 + c], 0x88);
        __m512i high23 = _mm512_shuffle_i32x4(rows[8 + c], rows[12 + c], 0xdd);
        t[c] = _mm512_shuffle_i32x4(low01, low23, 0x88);
        t[4 + c] = _mm512_shuffle_i32x4(high01, high23, 0x88);
        t[8 + c] = _mm512_shuffle_i32x4(low01, low23, 0xdd);
        t[12 + c] = _mm512_shuffle_i32x4(high01, high23, 0xdd);
    }
    for (int i = 0; i < 16; i++) {
        rows[i] = t[i];
    }
}

void sm3_avx512_compress(sm3_lanes_state *state, uint8_t blocks[SM3_LANES][SM3_BLOCK_LENGTH]) {
    const __m512i swap = _mm512_broadcast_i32x4(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    __m512i rows[16];
    for (int lane = 0; lane < SM3_LANES; lane++) {
        rows[lane] = _mm512_shuffle_epi8(_mm512_loadu_si512(blocks[lane]), swap);
    }
    transpose(rows);
    word_of_lanes words[SM3_WORDS], w[16];
    for (int i = 0; i < 16; i++) {
        w[i] = (word_of_lanes)rows[i];
    }
    for (int i = 0; i < SM3_WORDS; i++) {
        words[i] = (word_of_lanes)_mm512_load_si512(state->words[i]);
    }
    sm3_rounds(words, w);
    for (int i = 0; i < SM3_WORDS; i++) {
        _mm512_store_si512(state->words[i], (__m512i)words[i]);
    }
}
