/*
 * The field of the SM2 curve, eight elements at a time, on AVX-512 IFMA. Included by files compiled for it only.
 *
 * Lane l of limb vector i holds limb i of element l: value = sum of limb[i] 2^(52 i), i < 5, an element a being held as
 * a 2^260 mod p (Montgomery form). The limbs have room for 16 p, and three kinds of values differ by their
 * bounds:
 *
 *   narrow   0 <= value < p + 2^232, limbs 0..3 below 2^52
 *   trimmed  0 <= value < 16 p, limbs 0..3 below 2^52
 *   loose    as trimmed, but limbs 0..3 may have anything above bit 51; only multiplications, which read 52 bits,
 *            may take them
 *
 * A function's comment gives its bounds in multiples of p. Time never depends on values.
 */
#ifndef SEALBOOK_SM2_FE8_H
#define SEALBOOK_SM2_FE8_H

#include <immintrin.h>

#include "sm2_ge.h"
#include "work.h"

typedef __m512i v8;

typedef struct {
    v8 l[5];
} sm2_fe8;

typedef struct {
    sm2_fe8 x, y;
} sm2_ge8_affine;

#define SM2_FE8_INLINE static inline __attribute__((always_inline))

#define SM2_FE8_MASK 0xFFFFFFFFFFFFFULL

/* p = -1 - 2^52 D1 + 2^208 C4. */
#define SM2_FE8_D1 ((1ULL << 44) - (1ULL << 12))
#define SM2_FE8_C4 0x0FFFFFFFF0000ULL

/* p, 2^260 mod p and 2^780 mod p in limbs of 52 bits. */
static const uint64_t sm2_fe8_p[5] = {
        0xFFFFFFFFFFFFF, 0xFF00000000FFF, 0xFFFFFFFFFFFFF, 0xFFFFFFFFFFFFF, 0x0FFFFFFFEFFFF};
static const uint64_t sm2_fe8_one[5] = {
        0x0000000000010, 0x0FFFFFFFF0000, 0x0000000000000, 0x0000000000000, 0x0000000100000};
static const uint64_t sm2_fe8_r3[5] = {
        0x1200000016000, 0xFFFFFF8000000, 0x000C0000000EF, 0x90000000A0000, 0x00001B0000000};

SM2_FE8_INLINE v8 v8_of(uint64_t a) {
    return _mm512_set1_epi64((long long)a);
}

SM2_FE8_INLINE v8 v8_add(v8 a, v8 b) {
    return _mm512_add_epi64(a, b);
}

SM2_FE8_INLINE v8 v8_sub(v8 a, v8 b) {
    return _mm512_sub_epi64(a, b);
}

/* The same element in all lanes. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_of(const uint64_t limbs[5]) {
    sm2_fe8 r;
    for (int i = 0; i < 5; i++) {
        r.l[i] = v8_of(limbs[i]);
    }
    return r;
}

/* Adds the low and high halves of the 104-bit product of limb i of a and limb j of b. */
#define SM2_FE8_PRODUCT(i, j, low, high)              \
    low = _mm512_madd52lo_epu64(low, a.l[i], b.l[j]); \
    high = _mm512_madd52hi_epu64(high, a.l[i], b.l[j])

/*
 * One Montgomery step. With u = r0 mod 2^52 it adds u p = -u - 2^52 u D1 + 2^208 u C4, which clears the low 52 bits of
 * r0, and carries the rest of r0. Instead of -u D1 it adds (~u) D1 = -u D1 + 2^52 D1 - D1: over the five steps of a
 * reduction the surplus adds up to D1 at limb 6 and -D1 at limb 1, which the accumulators start without.
 */
#define SM2_FE8_REDUCE(r0, r1, r2, r4, r5)              \
    do {                                                \
        v8 complement = _mm512_xor_si512(r0, ones);     \
        r1 = v8_add(r1, _mm512_srli_epi64(r0, 52));     \
        r1 = _mm512_madd52lo_epu64(r1, complement, d1); \
        r2 = _mm512_madd52hi_epu64(r2, complement, d1); \
        r4 = _mm512_madd52lo_epu64(r4, r0, c4);         \
        r5 = _mm512_madd52hi_epu64(r5, r0, c4);         \
    } while (0)

#define SM2_FE8_REDUCE_ALL()                    \
    SM2_FE8_REDUCE(r0, r1, r2, r4, r5);         \
    SM2_FE8_REDUCE(r1, r2, r3, r5, r6);         \
    SM2_FE8_REDUCE(r2, r3, r4, r6, r7);         \
    SM2_FE8_REDUCE(r3, r4, r5, r7, r8);         \
    SM2_FE8_REDUCE(r4, r5, r6, r8, r9);         \
    r6 = v8_add(r6, _mm512_srli_epi64(r5, 52)); \
    r7 = v8_add(r7, _mm512_srai_epi64(r6, 52)); \
    r8 = v8_add(r8, _mm512_srai_epi64(r7, 52)); \
    r9 = v8_add(r9, _mm512_srai_epi64(r8, 52))

/* Returns a b / 2^260, loose, below (A B / 16 + 1) p for a < A p, b < B p, both loose. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_mul_loose(sm2_fe8 a, sm2_fe8 b) {
    WORK(WORK_LANES_MULTIPLICATION);
    const v8 zero = _mm512_setzero_si512(), ones = v8_of(~0ULL), d1 = v8_of(SM2_FE8_D1), c4 = v8_of(SM2_FE8_C4);
    v8 r0 = zero, r1 = d1, r2 = zero, r3 = zero, r4 = zero, r5 = zero, r6 = v8_of(0 - SM2_FE8_D1), r7 = zero, r8 = zero,
       r9 = zero;
    SM2_FE8_PRODUCT(0, 0, r0, r1);
    SM2_FE8_PRODUCT(1, 0, r1, r2);
    SM2_FE8_PRODUCT(2, 0, r2, r3);
    SM2_FE8_PRODUCT(3, 0, r3, r4);
    SM2_FE8_PRODUCT(4, 0, r4, r5);
    SM2_FE8_PRODUCT(0, 1, r1, r2);
    SM2_FE8_PRODUCT(1, 1, r2, r3);
    SM2_FE8_PRODUCT(2, 1, r3, r4);
    SM2_FE8_PRODUCT(3, 1, r4, r5);
    SM2_FE8_PRODUCT(4, 1, r5, r6);
    SM2_FE8_PRODUCT(0, 2, r2, r3);
    SM2_FE8_PRODUCT(1, 2, r3, r4);
    SM2_FE8_PRODUCT(2, 2, r4, r5);
    SM2_FE8_PRODUCT(3, 2, r5, r6);
    SM2_FE8_PRODUCT(4, 2, r6, r7);
    SM2_FE8_PRODUCT(0, 3, r3, r4);
    SM2_FE8_PRODUCT(1, 3, r4, r5);
    SM2_FE8_PRODUCT(2, 3, r5, r6);
    SM2_FE8_PRODUCT(3, 3, r6, r7);
    SM2_FE8_PRODUCT(4, 3, r7, r8);
    SM2_FE8_PRODUCT(0, 4, r4, r5);
    SM2_FE8_PRODUCT(1, 4, r5, r6);
    SM2_FE8_PRODUCT(2, 4, r6, r7);
    SM2_FE8_PRODUCT(3, 4, r7, r8);
    SM2_FE8_PRODUCT(4, 4, r8, r9);
    SM2_FE8_REDUCE_ALL();
    return (sm2_fe8){{r5, r6, r7, r8, r9}};
}

/* Returns a^2 / 2^260, loose, below (A^2 / 16 + 1) p. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_sqr_loose(sm2_fe8 a) {
    WORK(WORK_LANES_MULTIPLICATION);
    const v8 zero = _mm512_setzero_si512(), ones = v8_of(~0ULL), d1 = v8_of(SM2_FE8_D1), c4 = v8_of(SM2_FE8_C4);
    const sm2_fe8 b = a;
    v8 r0 = zero, r1 = zero, r2 = zero, r3 = zero, r4 = zero, r5 = zero, r6 = zero, r7 = zero, r8 = zero, r9 = zero;
    SM2_FE8_PRODUCT(0, 1, r1, r2);
    SM2_FE8_PRODUCT(0, 2, r2, r3);
    SM2_FE8_PRODUCT(0, 3, r3, r4);
    SM2_FE8_PRODUCT(0, 4, r4, r5);
    SM2_FE8_PRODUCT(1, 4, r5, r6);
    SM2_FE8_PRODUCT(2, 4, r6, r7);
    SM2_FE8_PRODUCT(3, 4, r7, r8);
    SM2_FE8_PRODUCT(1, 2, r3, r4);
    SM2_FE8_PRODUCT(1, 3, r4, r5);
    SM2_FE8_PRODUCT(2, 3, r5, r6);
    r1 = v8_add(v8_add(r1, r1), d1);
    r2 = v8_add(r2, r2);
    r3 = v8_add(r3, r3);
    r4 = v8_add(r4, r4);
    r5 = v8_add(r5, r5);
    r6 = v8_sub(v8_add(r6, r6), d1);
    r7 = v8_add(r7, r7);
    r8 = v8_add(r8, r8);
    SM2_FE8_PRODUCT(0, 0, r0, r1);
    SM2_FE8_PRODUCT(1, 1, r2, r3);
    SM2_FE8_PRODUCT(2, 2, r4, r5);
    SM2_FE8_PRODUCT(3, 3, r6, r7);
    SM2_FE8_PRODUCT(4, 4, r8, r9);
    SM2_FE8_REDUCE_ALL();
    return (sm2_fe8){{r5, r6, r7, r8, r9}};
}

/* Trims what is loose. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_trim(sm2_fe8 a) {
    const v8 mask = v8_of(SM2_FE8_MASK);
    for (int i = 0; i < 4; i++) {
        a.l[i] = _mm512_and_si512(a.l[i], mask);
    }
    return a;
}

/* As above, trimmed. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_mul(sm2_fe8 a, sm2_fe8 b) {
    return sm2_fe8_trim(sm2_fe8_mul_loose(a, b));
}

SM2_FE8_INLINE sm2_fe8 sm2_fe8_sqr(sm2_fe8 a) {
    return sm2_fe8_trim(sm2_fe8_sqr_loose(a));
}

/* Sums without carries, limb by limb: what comes out is raw, its limbs may be negative, and the value must not be. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_raw_add(sm2_fe8 a, sm2_fe8 b) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = v8_add(a.l[i], b.l[i]);
    }
    return a;
}

SM2_FE8_INLINE sm2_fe8 sm2_fe8_raw_sub(sm2_fe8 a, sm2_fe8 b) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = v8_sub(a.l[i], b.l[i]);
    }
    return a;
}

/* Adds a multiple of p to keep a value above zero. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_raw_add_p(sm2_fe8 a, int multiple) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = v8_add(a.l[i], v8_of((uint64_t)multiple * sm2_fe8_p[i]));
    }
    return a;
}

SM2_FE8_INLINE sm2_fe8 sm2_fe8_raw_shift(sm2_fe8 a, unsigned bits) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = _mm512_slli_epi64(a.l[i], bits);
    }
    return a;
}

/* Carries what is raw and 0..16 p; loose. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_carry_loose(sm2_fe8 a) {
    for (int i = 0; i < 4; i++) {
        a.l[i + 1] = v8_add(a.l[i + 1], _mm512_srai_epi64(a.l[i], 52));
    }
    return a;
}

/* Carries what is raw and 0..16 p; trimmed. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_carry(sm2_fe8 a) {
    return sm2_fe8_trim(sm2_fe8_carry_loose(a));
}

/*
 * Carries what is raw, 1.5 p .. 30 p, with lower limbs within 2^58 of zero: narrow. It takes off q p with q =
 * floor(limb 4 / 2^48), which differs from floor(value / 2^256) by one at most, and q >= 1; because p is 2^224 below
 * 2^256, what remains is not negative.
 */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_narrow(sm2_fe8 a) {
    v8 q = _mm512_srai_epi64(a.l[4], 48);
    a.l[0] = v8_add(a.l[0], q);
    a.l[1] = v8_add(a.l[1], v8_sub(_mm512_slli_epi64(q, 44), _mm512_slli_epi64(q, 12)));
    a.l[4] = v8_add(a.l[4], v8_sub(_mm512_slli_epi64(q, 16), _mm512_slli_epi64(q, 48)));
    return sm2_fe8_carry(a);
}

/* Returns a - b + 4 p, loose, for trimmed a < 12 p and b < 4 p. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_sub_loose(sm2_fe8 a, sm2_fe8 b) {
    return sm2_fe8_carry_loose(sm2_fe8_raw_add_p(sm2_fe8_raw_sub(a, b), 4));
}

/* Writes four limbs of 64 bits and what is left above them, of one lane of a trimmed value. */
SM2_FE8_INLINE uint64_t sm2_fe8_lane(u256 *r, const sm2_fe8 *a, int lane) {
    uint64_t w[5];
    for (int i = 0; i < 5; i++) {
        _Alignas(64) uint64_t lanes[8];
        _mm512_store_si512(lanes, a->l[i]);
        w[i] = lanes[lane];
    }
    *r = (u256){{w[0] | w[1] << 52, w[1] >> 12 | w[2] << 40, w[2] >> 24 | w[3] << 28, w[3] >> 36 | w[4] << 16}};
    return w[4] >> 48;
}

/* Writes the value of one lane of a trimmed value, 0..16 p, mod p. */
static inline void sm2_fe8_reduced_lane(u256 *r, const sm2_fe8 *a, int lane) {
    u256 value, less;
    uint64_t high = sm2_fe8_lane(&value, a, lane);
    for (;;) {
        uint64_t borrow = u256_sub(&less, &value, &sm2_fe_p);
        if (borrow > high) {
            *r = value;
            return;
        }
        high -= borrow;
        value = less;
    }
}

/* Puts four limbs of 64 bits into all lanes, narrow. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_broadcast(const u256 *a) {
    const uint64_t *w = a->w;
    const uint64_t limbs[5] = {w[0] & SM2_FE8_MASK, (w[0] >> 52 | w[1] << 12) & SM2_FE8_MASK,
            (w[1] >> 40 | w[2] << 24) & SM2_FE8_MASK, (w[2] >> 28 | w[3] << 36) & SM2_FE8_MASK, w[3] >> 16};
    return sm2_fe8_of(limbs);
}

/* Cuts vectors of 64-bit limbs into limbs of 52 bits. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_from_words(v8 w0, v8 w1, v8 w2, v8 w3) {
    const v8 mask = v8_of(SM2_FE8_MASK);
    return (sm2_fe8){{
            _mm512_and_si512(w0, mask),
            _mm512_and_si512(_mm512_shrdi_epi64(w0, w1, 52), mask),
            _mm512_and_si512(_mm512_shrdi_epi64(w1, w2, 40), mask),
            _mm512_and_si512(_mm512_shrdi_epi64(w2, w3, 28), mask),
            _mm512_srli_epi64(w3, 16),
    }};
}

/* Reads eight affine points of four limbs of 64 bits a coordinate, one a lane: an 8 x 8 transposition. */
SM2_FE8_INLINE sm2_ge8_affine sm2_ge8_load(const sm2_ge_affine *const points[8]) {
    v8 row[8], pair[8], quad[8], word[8];
    for (int i = 0; i < 8; i++) {
        row[i] = _mm512_load_si512(points[i]);
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
    return (sm2_ge8_affine){sm2_fe8_from_words(word[0], word[1], word[2], word[3]),
            sm2_fe8_from_words(word[4], word[5], word[6], word[7])};
}

/* Returns p - a in the lanes of the mask, for fully reduced a; trimmed. */
SM2_FE8_INLINE sm2_fe8 sm2_fe8_neg_lanes(sm2_fe8 a, __mmask8 lanes) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = _mm512_mask_sub_epi64(a.l[i], lanes, v8_of(sm2_fe8_p[i]), a.l[i]);
    }
    return sm2_fe8_carry(a);
}

/* Returns the lanes that are 0 mod p, of a trimmed: multiplied by the integer 1 they are 0 or p. */
SM2_FE8_INLINE __mmask8 sm2_fe8_zero_lanes(sm2_fe8 a) {
    const v8 zero = v8_of(0);
    const sm2_fe8 one = {{v8_of(1), zero, zero, zero, zero}};
    a = sm2_fe8_mul(a, one);
    __mmask8 is_zero = 0xFF, is_p = 0xFF;
    for (int i = 0; i < 5; i++) {
        is_zero &= _mm512_cmpeq_epi64_mask(a.l[i], zero);
        is_p &= _mm512_cmpeq_epi64_mask(a.l[i], v8_of(sm2_fe8_p[i]));
    }
    return is_zero | is_p;
}

/*
 * Returns the inverses of eight elements, loose and below 2 p, at the price of one: their product is inverted as an
 * integer. a is loose, below 3 p. When an element is 0 all results are 0 and *has_zero becomes 1, otherwise 0.
 */
sm2_fe8 sm2_fe8_inverse_var(sm2_fe8 a, int *has_zero);

#endif
