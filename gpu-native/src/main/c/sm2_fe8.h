/*
 * The field of the SM2 curve on fe8.h: an element a is held as a 2^260 mod p (Montgomery form). What is narrow is below
 * p + 2^232. A file has one field: FE8 and GE8 are its names in templates.
 */
#ifndef SEALBOOK_SM2_FE8_H
#define SEALBOOK_SM2_FE8_H

#include "fe8.h"
#include "sm2_ge.h"
#include "work.h"

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

/*
 * One Montgomery step. With u = r0 mod 2^52 it adds u p = -u - 2^52 u D1 + 2^208 u C4, which clears the low 52 bits of
 * r0, and carries the rest of r0. Instead of -u D1 it adds (~u) D1 = -u D1 + 2^52 D1 - D1: over the five steps of a
 * reduction the surplus adds up to D1 at limb 6 and -D1 at limb 1, which the accumulators start without.
 */
FE8_INLINE void sm2_fe8_reduce_limb(v8 *r) {
    const v8 d1 = v8_of(SM2_FE8_D1), c4 = v8_of(SM2_FE8_C4), complement = _mm512_xor_si512(r[0], v8_of(~0ULL));
    r[1] = v8_add(r[1], _mm512_srli_epi64(r[0], 52));
    r[1] = _mm512_madd52lo_epu64(r[1], complement, d1);
    r[2] = _mm512_madd52hi_epu64(r[2], complement, d1);
    r[4] = _mm512_madd52lo_epu64(r[4], r[0], c4);
    r[5] = _mm512_madd52hi_epu64(r[5], r[0], c4);
}

/* Returns r / 2^260, loose, below (R / 2^520 + 1) p; r[1] and r[6] have D1 and -D1 in advance. */
FE8_INLINE fe8 sm2_fe8_reduce(v8 r[10]) {
#pragma GCC unroll 5
    for (int i = 0; i < 5; i++) {
        sm2_fe8_reduce_limb(r + i);
    }
    r[6] = v8_add(r[6], _mm512_srli_epi64(r[5], 52));
#pragma GCC unroll 3
    for (int i = 6; i < 9; i++) {
        r[i + 1] = v8_add(r[i + 1], _mm512_srai_epi64(r[i], 52));
    }
    return (fe8){{r[5], r[6], r[7], r[8], r[9]}};
}

/* Returns a b / 2^260, loose, below (A B / 16 + 1) p for a < A p, b < B p, both loose. */
FE8_INLINE fe8 sm2_fe8_mul_loose(fe8 a, fe8 b) {
    WORK(WORK_LANES_MULTIPLICATION);
    const v8 zero = v8_of(0);
    v8 r[10] = {zero, v8_of(SM2_FE8_D1), zero, zero, zero, zero, v8_of(0 - SM2_FE8_D1), zero, zero, zero};
    fe8_add_product(r, a, b);
    return sm2_fe8_reduce(r);
}

/* Returns a^2 / 2^260, loose, below (A^2 / 16 + 1) p. */
FE8_INLINE fe8 sm2_fe8_sqr_loose(fe8 a) {
    WORK(WORK_LANES_MULTIPLICATION);
    v8 r[10];
    fe8_square(r, a);
    r[1] = v8_add(r[1], v8_of(SM2_FE8_D1));
    r[6] = v8_sub(r[6], v8_of(SM2_FE8_D1));
    return sm2_fe8_reduce(r);
}

/*
 * Carries what is raw, 1.5 p .. 30 p, with lower limbs within 2^58 of zero: narrow. It takes off q p with q =
 * floor(limb 4 / 2^48), which differs from floor(value / 2^256) by one at most, and q >= 1; because p is 2^224 below
 * 2^256, what remains is not negative.
 */
FE8_INLINE fe8 sm2_fe8_narrow(fe8 a) {
    v8 q = _mm512_srai_epi64(a.l[4], 48);
    a.l[0] = v8_add(a.l[0], q);
    a.l[1] = v8_add(a.l[1], v8_sub(_mm512_slli_epi64(q, 44), _mm512_slli_epi64(q, 12)));
    a.l[4] = v8_add(a.l[4], v8_sub(_mm512_slli_epi64(q, 16), _mm512_slli_epi64(q, 48)));
    return fe8_carry(a);
}

/* Returns the element whose integer form, a 2^-260 2^-260, an inversion of integers gave. */
FE8_INLINE fe8 sm2_fe8_of_inverse(fe8 a) {
    return sm2_fe8_mul_loose(a, fe8_of(sm2_fe8_r3));
}

#define FE8(name) sm2_fe8_##name
#define GE8(name) sm2_ge8_##name
#define FE8_MODULUS sm2_fe_p

#include "fe8_field.h"

#endif
