/*
 * The SHA-256 compression function with the SHA extensions: one instruction makes two rounds on the words ABEF and
 * CDGH.
 */
#pragma GCC target("sha,ssse3,sse4.1")
#include <immintrin.h>

#include "sha256.h"

void sha256_shani_compress(uint32_t words[8], const uint8_t *blocks, size_t block_count) {
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    /* Words are lowest first: DCBA and HGFE in, FEBA and HGDC inside. */
    __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)words), 0xB1);
    __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(words + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
    for (; block_count > 0; block_count--, blocks += 64) {
        __m128i first = abef, second = cdgh, w[4];
        for (int i = 0; i < 4; i++) {
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), swap);
        }
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) {
            __m128i w0 = w[i % 4], w1 = w[(i + 1) % 4], w2 = w[(i + 2) % 4], w3 = w[(i + 3) % 4];
            __m128i sum = _mm_add_epi32(w0, _mm_loadu_si128((const __m128i *)(sha256_round_constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
            if (i < 12) {
                __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
                w[i % 4] = _mm_sha256msg2_epu32(next, w3);
            }
        }
        abef = _mm_add_epi32(abef, first);
        cdgh = _mm_add_epi32(cdgh, second);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)words, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(words + 4), _mm_alignr_epi8(dchg, feba, 8));
}
