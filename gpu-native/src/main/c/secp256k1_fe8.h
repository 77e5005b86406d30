/*
 * The field of secp256k1 on fe8.h: an element is held as it is, mod p = 2^256 - C. A file has one field: FE8 and GE8
 * are its names in templates.
 */
#ifndef SEALBOOK_SECP256K1_FE8_H
#define SEALBOOK_SECP256K1_FE8_H

#include "fe8.h"
#include "secp256k1_fe.h"
#include "work.h"

/* 2^256 = C and 2^260 = 16 C mod p. */
#define SECP256K1_FE8_C SECP256K1_FE_C

/* p and 1 in limbs of 52 bits. */
static const uint64_t secp256k1_fe8_p[5] = {
        0xFFFFEFFFFFC2F, 0xFFFFFFFFFFFFF, 0xFFFFFFFFFFFFF, 0xFFFFFFFFFFFFF, 0x0FFFFFFFFFFFF};
static const uint64_t secp256k1_fe8_one[5] = {1, 0, 0, 0, 0};

/*
 * Returns r mod p, loose, below p + 2^212, for r below 2^520. The upper half times 16 C is added to the lower one. What
 * is above bit 256 then, q, is below 2^42; it is taken off once limb 3 has been carried, and q C is added. Carries of
 * the limbs below, which come last, no longer reach bit 256 but by one in limb 4.
 */
FE8_INLINE fe8 secp256k1_fe8_reduce(v8 r[10]) {
    const v8 c16 = v8_of(16 * SECP256K1_FE8_C), c = v8_of(SECP256K1_FE8_C), mask = v8_of(FE8_MASK);
#pragma GCC unroll 4
    for (int i = 5; i < 9; i++) {
        r[i + 1] = v8_add(r[i + 1], _mm512_srli_epi64(r[i], 52));
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_madd52lo_epu64(r[i], r[5 + i], c16);
        r[i + 1] = _mm512_madd52hi_epu64(r[i + 1], r[5 + i], c16);
    }
    r[4] = _mm512_madd52lo_epu64(r[4], r[9], c16);
    v8 above = _mm512_madd52hi_epu64(v8_of(0), r[9], c16);
    r[4] = v8_add(r[4], _mm512_srli_epi64(r[3], 52));
    r[3] = _mm512_and_si512(r[3], mask);
    v8 q = v8_add(_mm512_slli_epi64(above, 4), _mm512_srli_epi64(r[4], 48));
    r[4] = _mm512_and_si512(r[4], v8_of(FE8_MASK >> 4));
    r[0] = _mm512_madd52lo_epu64(r[0], q, c);
    r[1] = _mm512_madd52hi_epu64(r[1], q, c);
    return fe8_carry_loose((fe8){{r[0], r[1], r[2], r[3], r[4]}});
}

/* Returns a b, loose, below 1.1 p, for loose a and b. */
FE8_INLINE fe8 secp256k1_fe8_mul_loose(fe8 a, fe8 b) {
    WORK(WORK_LANES_MULTIPLICATION);
    const v8 zero = v8_of(0);
    v8 r[10] = {zero, zero, zero, zero, zero, zero, zero, zero, zero, zero};
    fe8_add_product(r, a, b);
    return secp256k1_fe8_reduce(r);
}

/* Returns a^2, loose, below 1.1 p, for a loose. */
FE8_INLINE fe8 secp256k1_fe8_sqr_loose(fe8 a) {
    WORK(WORK_LANES_MULTIPLICATION);
    v8 r[10];
    fe8_square(r, a);
    return secp256k1_fe8_reduce(r);
}

/*
 * Carries what is raw, 0 .. 30 p, with lower limbs within 2^58 of zero: narrow. It takes off (q - 1) p with q =
 * floor(limb 4 / 2^48), which differs from floor(value / 2^256) by one at most.
 */
FE8_INLINE fe8 secp256k1_fe8_narrow(fe8 a) {
    v8 q = v8_sub(_mm512_srai_epi64(a.l[4], 48), v8_of(1));
    /* C = 2^32 + 977, and q may be negative. */
    v8 q_c = v8_add(_mm512_slli_epi64(q, 32), _mm512_mul_epi32(q, v8_of(SECP256K1_FE8_C & 0xFFFFFFFF)));
    a.l[0] = v8_add(a.l[0], q_c);
    a.l[4] = v8_sub(a.l[4], _mm512_slli_epi64(q, 48));
    return fe8_carry(a);
}

/* Returns the element whose integer form an inversion of integers gave. */
FE8_INLINE fe8 secp256k1_fe8_of_inverse(fe8 a) {
    return a;
}

#define FE8(name) secp256k1_fe8_##name
#define GE8(name) secp256k1_ge8_##name
#define FE8_MODULUS secp256k1_fe_p

#include "fe8_field.h"

#endif
