/*
 * What fields of 256 bits have in common, eight elements at a time, on AVX-512 IFMA. Included by files compiled for it
 * only; sm2_fe8.h and secp256k1_fe8.h add what depends on p.
 *
 * Lane l of limb vector i holds limb i of element l: value = sum of limb[i] 2^(52 i), i < 5. The limbs have room for
 * 16 p, and three kinds of values differ by their bounds:
 *
 *   narrow   0 <= value < 2.1 p, limbs 0..3 below 2^52
 *   trimmed  0 <= value < 16 p, limbs 0..3 below 2^52
 *   loose    as trimmed, but limbs 0..3 may have anything above bit 51; only multiplications, which read 52 bits,
 *            may take them
 *
 * A function's comment gives its bounds in multiples of p. Time never depends on values.
 */
#ifndef SEALBOOK_FE8_H
#define SEALBOOK_FE8_H

#include <immintrin.h>

#include "u256.h"

typedef __m512i v8;

typedef struct {
    v8 l[5];
} fe8;

/* Eight points; x and y narrow. */
typedef struct {
    fe8 x, y;
} ge8_affine;

/* x and y narrow, z loose and below 1.5 p; infinity where z = 0. */
typedef struct {
    fe8 x, y, z;
} ge8_jacobian;

#define FE8_INLINE static inline __attribute__((always_inline))

#define FE8_MASK 0xFFFFFFFFFFFFFULL

FE8_INLINE v8 v8_of(uint64_t a) {
    return _mm512_set1_epi64((long long)a);
}

FE8_INLINE v8 v8_add(v8 a, v8 b) {
    return _mm512_add_epi64(a, b);
}

FE8_INLINE v8 v8_sub(v8 a, v8 b) {
    return _mm512_sub_epi64(a, b);
}

/* The same element in all lanes. */
FE8_INLINE fe8 fe8_of(const uint64_t limbs[5]) {
    fe8 r;
    for (int i = 0; i < 5; i++) {
        r.l[i] = v8_of(limbs[i]);
    }
    return r;
}

/* r += a b, both loose: the low and high halves of each product of two limbs, 104 bits, in limbs of their own. */
FE8_INLINE void fe8_add_product(v8 r[10], fe8 a, fe8 b) {
#pragma GCC unroll 5
    for (int j = 0; j < 5; j++) {
#pragma GCC unroll 5
        for (int i = 0; i < 5; i++) {
            r[i + j] = _mm512_madd52lo_epu64(r[i + j], a.l[i], b.l[j]);
            r[i + j + 1] = _mm512_madd52hi_epu64(r[i + j + 1], a.l[i], b.l[j]);
        }
    }
}

/* r = a^2, loose: the products of different limbs once each and doubled, then the squares. */
FE8_INLINE void fe8_square(v8 r[10], fe8 a) {
    r[0] = r[9] = _mm512_setzero_si512();
#pragma GCC unroll 8
    for (int i = 1; i < 9; i++) {
        r[i] = _mm512_setzero_si512();
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
#pragma GCC unroll 4
        for (int j = i + 1; j < 5; j++) {
            r[i + j] = _mm512_madd52lo_epu64(r[i + j], a.l[i], a.l[j]);
            r[i + j + 1] = _mm512_madd52hi_epu64(r[i + j + 1], a.l[i], a.l[j]);
        }
    }
#pragma GCC unroll 8
    for (int i = 1; i < 9; i++) {
        r[i] = v8_add(r[i], r[i]);
    }
#pragma GCC unroll 5
    for (int i = 0; i < 5; i++) {
        r[2 * i] = _mm512_madd52lo_epu64(r[2 * i], a.l[i], a.l[i]);
        r[2 * i + 1] = _mm512_madd52hi_epu64(r[2 * i + 1], a.l[i], a.l[i]);
    }
}

/* Trims what is loose. */
FE8_INLINE fe8 fe8_trim(fe8 a) {
    const v8 mask = v8_of(FE8_MASK);
    for (int i = 0; i < 4; i++) {
        a.l[i] = _mm512_and_si512(a.l[i], mask);
    }
    return a;
}

/* Sums without carries, limb by limb: what comes out is raw, its limbs may be negative, and the value must not be. */
FE8_INLINE fe8 fe8_raw_add(fe8 a, fe8 b) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = v8_add(a.l[i], b.l[i]);
    }
    return a;
}

FE8_INLINE fe8 fe8_raw_sub(fe8 a, fe8 b) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = v8_sub(a.l[i], b.l[i]);
    }
    return a;
}

FE8_INLINE fe8 fe8_raw_shift(fe8 a, unsigned bits) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = _mm512_slli_epi64(a.l[i], bits);
    }
    return a;
}

/* Carries what is raw and 0..16 p; loose. */
FE8_INLINE fe8 fe8_carry_loose(fe8 a) {
    for (int i = 0; i < 4; i++) {
        a.l[i + 1] = v8_add(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
    }
    return a;
}

/* Carries what is raw and 0..16 p; trimmed. */
FE8_INLINE fe8 fe8_carry(fe8 a) {
    return fe8_trim(fe8_carry_loose(a));
}

/* Writes four limbs of 64 bits of one lane of a trimmed value, and returns what is left above them. */
FE8_INLINE uint64_t fe8_lane(u256 *r, const fe8 *a, int lane) {
    uint64_t w[5];
    for (int i = 0; i < 5; i++) {
        _Alignas(64) uint64_t lanes[8];
        _mm512_store_si512(lanes, a->l[i]);
        w[i] = lanes[lane];
    }
    *r = (u256){{w[0] | w[1] << 52, w[1] >> 12 | w[2] << 40, w[2] >> 24 | w[3] << 28, w[3] >> 36 | w[4] << 16}};
    return w[4] >> 48;
}

/* Puts four limbs of 64 bits into all lanes, narrow. */
FE8_INLINE fe8 fe8_broadcast(const u256 *a) {
    const uint64_t *w = a->w;
    const uint64_t limbs[5] = {w[0] & FE8_MASK, (w[0] >> 52 | w[1] << 12) & FE8_MASK,
            (w[1] >> 40 | w[2] << 24) & FE8_MASK, (w[2] >> 28 | w[3] << 36) & FE8_MASK, w[3] >> 16};
    return fe8_of(limbs);
}

/* Cuts vectors of 64-bit limbs into limbs of 52 bits. */
FE8_INLINE fe8 fe8_from_words(v8 w0, v8 w1, v8 w2, v8 w3) {
    const v8 mask = v8_of(FE8_MASK);
    return (fe8){{
            _mm512_and_si512(w0, mask),
            _mm512_and_si512(_mm512_shrdi_epi64(w0, w1, 52), mask),
            _mm512_and_si512(_mm512_shrdi_epi64(w1, w2, 40), mask),
            _mm512_and_si512(_mm512_shrdi_epi64(w2, w3, 28), mask),
            _mm512_srli_epi64(w3, 16),
    }};
}

/*
 * Reads eight affine points at these addresses, one a lane: an 8 x 8 transposition. x and y are four limbs of 64 bits
 * each, and lie aligned to 64.
 */
FE8_INLINE ge8_affine ge8_load(const uint64_t points[8]) {
    v8 row[8], pair[8], quad[8], word[8];
    for (int i = 0; i < 8; i++) {
        row[i] = _mm512_load_si512((const void *)(uintptr_t)points[i]);
    }
    for (int i = 0; i < 4; i++) {
        pair[i] = _mm512_unpacklo_epi64(row[2 * i], row[2 * i + 1]);
        pair[4 + i] = _mm512_unpackhi_epi64(row[2 * i], row[2 * i + 1]);
    }
    for (int i = 0; i < 4; i++) {
        quad[2 * i] = _mm512_shuffle_i64x2(pair[2 * i], pair[2 * i + 1], 0x88);
        quad[2 * i + 1] = _mm512_shuffle_i64x2(pair[2 * i], pair[2 * i + 1], 0xDD);
    }
    /* quad 0, 1: words 0, 4 and 2, 6 of points 0..3; quad 2, 3 of points 4..7; quad 4..7 the odd words. */
    for (int i = 0; i < 2; i++) {
        word[i] = _mm512_shuffle_i64x2(quad[4 * i], quad[4 * i + 2], 0x88);
        word[4 + i] = _mm512_shuffle_i64x2(quad[4 * i], quad[4 * i + 2], 0xDD);
        word[2 + i] = _mm512_shuffle_i64x2(quad[4 * i + 1], quad[4 * i + 3], 0x88);
        word[6 + i] = _mm512_shuffle_i64x2(quad[4 * i + 1], quad[4 * i + 3], 0xDD);
    }
    return (ge8_affine){
            fe8_from_words(word[0], word[1], word[2], word[3]), fe8_from_words(word[4], word[5], word[6], word[7])};
}

/* Takes a where the mask says so. */
FE8_INLINE void fe8_select(fe8 *r, __mmask8 lanes, const fe8 *a) {
    for (int i = 0; i < 5; i++) {
        r->l[i] = _mm512_mask_mov_epi64(r->l[i], lanes, a->l[i]);
    }
}

FE8_INLINE void ge8_select(ge8_jacobian *r, __mmask8 lanes, const ge8_jacobian *a) {
    fe8_select(&r->x, lanes, &a->x);
    fe8_select(&r->y, lanes, &a->y);
    fe8_select(&r->z, lanes, &a->z);
}

/* Every lane takes what its neighbour at distance 1, 2 or 4 has. */
FE8_INLINE fe8 fe8_neighbours(fe8 a, int distance) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = distance == 1 ? _mm512_permutex_epi64(a.l[i], 0xB1)
               : distance == 2 ? _mm512_permutex_epi64(a.l[i], 0x4E)
                               : _mm512_shuffle_i64x2(a.l[i], a.l[i], 0x4E);
    }
    return a;
}

#endif
