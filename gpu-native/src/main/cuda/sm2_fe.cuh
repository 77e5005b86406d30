/*
 * The field of the SM2 curve: integers modulo
 *
 *     p = 2^256 - 2^224 - 2^96 + 2^64 - 1        (GB/T 32918.5)
 *
 * Representation: Montgomery form, a stands for a 2^-256 mod p. Values are any residue in [0, 2^256), not always the
 * least one; sm2_fe_canonical makes it so.
 *
 * p = -1 modulo 2^64, so the reduction needs no multiplication. It takes 128 bits at a time: with T = t mod 2^128 and
 *
 *     M = T (1 + 2^64 - 2^96) mod 2^128 = -T / p mod 2^128
 *
 * t + M p is divisible by 2^128. Two steps of 128 bits need a fifth less instructions than four of 64.
 */
#pragma once
#include "u256.cuh"

/* clang-format off */
#define SM2_P {{0xFFFFFFFF, 0xFFFFFFFF, 0x00000000, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFE}}
/* 2^256 mod p = 2^256 - p, which stands for 1. */
#define SM2_FE_ONE {{0x00000001, 0x00000000, 0xFFFFFFFF, 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x00000001}}
/* 2^512 mod p: multiplying by it brings a number into Montgomery form. Python: hex(2**512 % p). */
#define SM2_FE_RR {{0x00000003, 0x00000002, 0xFFFFFFFF, 0x00000002, 0x00000001, 0x00000001, 0x00000002, 0x00000004}}
/* clang-format on */

/* acc[0..7] += (a[0] + a[2] 2^64 + a[4] 2^128 + a[6] 2^192) b; the carry out stays in the flag. */
FN void sm2_fe_accumulate(uint32_t *acc, const uint32_t *a, uint32_t b) {
    mad_wide_cc(acc[0], acc[1], a[0], b);
    UNROLL
    for (int j = 2; j < 8; j += 2) {
        madc_wide_cc(acc[j], acc[j + 1], a[j], b);
    }
}

/* t = even + 2^32 odd, where even has 16 words and odd 15. */
FN void sm2_fe_join(uint32_t *t, const uint32_t *even, const uint32_t *odd) {
    t[0] = even[0];
    t[1] = add_cc(even[1], odd[0]);
    UNROLL
    for (int i = 2; i < 15; i++) {
        t[i] = addc_cc(even[i], odd[i - 1]);
    }
    t[15] = addc(even[15], odd[14]);
}

/*
 * t = a b, 16 words. Products of even weight and of odd weight are summed apart, so that every carry chain runs over
 * whole pairs.
 */
FN void sm2_fe_product(uint32_t *t, const u256 &a, const u256 &b) {
    uint32_t even[17] = {0}, odd[16] = {0};
    UNROLL
    for (int j = 0; j < 8; j += 2) {
        mul_wide(even[j], even[j + 1], a.w[j], b.w[0]);
        mul_wide(odd[j], odd[j + 1], a.w[j + 1], b.w[0]);
    }
    UNROLL
    for (int i = 1; i < 8; i++) {
        uint32_t *weight_i = i & 1 ? odd + i - 1 : even + i;
        uint32_t *weight_i_plus_1 = i & 1 ? even + i + 1 : odd + i;
        sm2_fe_accumulate(weight_i, a.w, b.w[i]);
        weight_i[8] = addc(weight_i[8], 0);
        sm2_fe_accumulate(weight_i_plus_1, a.w + 1, b.w[i]);
        weight_i_plus_1[8] = addc(weight_i_plus_1[8], 0);
    }
    sm2_fe_join(t, even, odd);
}

/*
 * acc += sum of a[i] a[j] over j = first, first + 2, ... < 8, and the carry after it; acc[0] has the weight of i +
 * first.
 */
FN void sm2_fe_accumulate_cross(uint32_t *acc, const u256 &a, int i, int first) {
    int k = 0;
    UNROLL
    for (int j = first; j < 8; j += 2, k += 2) {
        if (k == 0) {
            mad_wide_cc(acc[0], acc[1], a.w[j], a.w[i]);
        } else {
            madc_wide_cc(acc[k], acc[k + 1], a.w[j], a.w[i]);
        }
    }
    acc[k] = addc(acc[k], 0);
}

/* t = a^2: every cross product once, doubled, and the squares of the words. */
FN void sm2_fe_square_product(uint32_t *t, const u256 &a) {
    uint32_t even[17] = {0}, odd[16] = {0}, cross[16];
    UNROLL
    for (int i = 0; i < 7; i++) {
        sm2_fe_accumulate_cross(odd + 2 * i, a, i, i + 1);
        if (i < 6) {
            sm2_fe_accumulate_cross(even + 2 * i + 2, a, i, i + 2);
        }
    }
    sm2_fe_join(cross, even, odd);
    UNROLL
    for (int i = 15; i > 0; i--) {
        t[i] = __funnelshift_l(cross[i - 1], cross[i], 1);
    }
    t[0] = 0;
    mad_wide_cc(t[0], t[1], a.w[0], a.w[0]);
    UNROLL
    for (int i = 1; i < 8; i++) {
        madc_wide_cc(t[2 * i], t[2 * i + 1], a.w[i], a.w[i]);
    }
}

/* M of the lowest four words of t, and what the words 2 and 3 of t + M p carry (0 or 1) and borrow (0 or all ones). */
FN void sm2_fe_quotient(uint32_t *m, uint32_t &carry, uint32_t &borrow, const uint32_t *t) {
    m[0] = t[0];
    m[1] = t[1];
    m[2] = add_cc(t[2], t[0]);
    m[3] = addc_cc(t[3], t[1]);
    carry = addc(0, 0);
    m[3] = sub_cc(m[3], t[0]);
    borrow = subc(0, 0);
}

/* r = t 2^-256 mod p in [0, 2^256), for any t of 16 words, which is spoiled. */
FN u256 sm2_fe_reduce(uint32_t *t) {
    uint32_t m[4], carry, borrow, top;

    /* t / 2^128 + M (2^128 - 2^96 + 2^-64 - 2^-32), of which the fractions are what carry and borrow stand for. */
    sm2_fe_quotient(m, carry, borrow, t);
    (void)add_cc(carry, 0xFFFFFFFF);
    t[4] = addc_cc(t[4], m[2]);
    t[5] = addc_cc(t[5], m[3]);
    t[6] = addc_cc(t[6], 0);
    t[7] = addc_cc(t[7], 0);
    t[8] = addc_cc(t[8], m[0]);
    t[9] = addc_cc(t[9], m[1]);
    t[10] = addc_cc(t[10], m[2]);
    t[11] = addc_cc(t[11], m[3]);
    t[12] = addc_cc(t[12], 0);
    t[13] = addc_cc(t[13], 0);
    t[14] = addc_cc(t[14], 0);
    t[15] = addc_cc(t[15], 0);
    top = addc(0, 0);
    (void)sub_cc(0, borrow & 1);
    t[4] = subc_cc(t[4], m[1]);
    t[5] = subc_cc(t[5], m[2]);
    t[6] = subc_cc(t[6], m[3]);
    t[7] = subc_cc(t[7], m[0]);
    t[8] = subc_cc(t[8], m[1]);
    t[9] = subc_cc(t[9], m[2]);
    t[10] = subc_cc(t[10], m[3]);
    t[11] = subc_cc(t[11], 0);
    t[12] = subc_cc(t[12], 0);
    t[13] = subc_cc(t[13], 0);
    t[14] = subc_cc(t[14], 0);
    t[15] = subc_cc(t[15], 0);
    top = subc(top, 0);

    /* The same, 128 bits higher. */
    sm2_fe_quotient(m, carry, borrow, t + 4);
    (void)add_cc(carry, 0xFFFFFFFF);
    t[8] = addc_cc(t[8], m[2]);
    t[9] = addc_cc(t[9], m[3]);
    t[10] = addc_cc(t[10], 0);
    t[11] = addc_cc(t[11], 0);
    t[12] = addc_cc(t[12], m[0]);
    t[13] = addc_cc(t[13], m[1]);
    t[14] = addc_cc(t[14], m[2]);
    t[15] = addc_cc(t[15], m[3]);
    top = addc(top, 0);
    (void)sub_cc(0, borrow & 1);
    t[8] = subc_cc(t[8], m[1]);
    t[9] = subc_cc(t[9], m[2]);
    t[10] = subc_cc(t[10], m[3]);
    t[11] = subc_cc(t[11], m[0]);
    t[12] = subc_cc(t[12], m[1]);
    t[13] = subc_cc(t[13], m[2]);
    t[14] = subc_cc(t[14], m[3]);
    t[15] = subc_cc(t[15], 0);
    top = subc(top, 0);

    /* top is 0 or 1, and with 1 the rest is below p: adding 2^256 - p does not overflow. */
    uint32_t mask = 0u - top;
    u256 r;
    r.w[0] = add_cc(t[8], top);
    r.w[1] = addc_cc(t[9], 0);
    r.w[2] = addc_cc(t[10], mask);
    r.w[3] = addc_cc(t[11], 0);
    r.w[4] = addc_cc(t[12], 0);
    r.w[5] = addc_cc(t[13], 0);
    r.w[6] = addc_cc(t[14], 0);
    r.w[7] = addc(t[15], top);
    return r;
}

FN u256 sm2_fe_mul(const u256 &a, const u256 &b) {
    uint32_t t[16];
    sm2_fe_product(t, a, b);
    return sm2_fe_reduce(t);
}

FN u256 sm2_fe_sqr(const u256 &a) {
    uint32_t t[16];
    sm2_fe_square_product(t, a);
    return sm2_fe_reduce(t);
}

FN u256 sm2_fe_add(const u256 &a, const u256 &b) {
    const u256 one = SM2_FE_ONE;
    u256 r;
    uint32_t carry = u256_add(r, a, b), mask = 0u - carry;
    r.w[0] = add_cc(r.w[0], carry);
    r.w[1] = addc_cc(r.w[1], 0);
    r.w[2] = addc_cc(r.w[2], mask);
    r.w[3] = addc_cc(r.w[3], 0);
    r.w[4] = addc_cc(r.w[4], 0);
    r.w[5] = addc_cc(r.w[5], 0);
    r.w[6] = addc_cc(r.w[6], 0);
    r.w[7] = addc_cc(r.w[7], carry);
    if (addc(0, 0)) {
        /* Once in 2^32 additions 2^256 - p overflows too; what is left is small. */
        u256_add(r, r, one);
    }
    return r;
}

FN u256 sm2_fe_sub(const u256 &a, const u256 &b) {
    const u256 one = SM2_FE_ONE;
    u256 r;
    uint32_t mask = u256_sub(r, a, b), borrow = mask & 1;
    r.w[0] = sub_cc(r.w[0], borrow);
    r.w[1] = subc_cc(r.w[1], 0);
    r.w[2] = subc_cc(r.w[2], mask);
    r.w[3] = subc_cc(r.w[3], 0);
    r.w[4] = subc_cc(r.w[4], 0);
    r.w[5] = subc_cc(r.w[5], 0);
    r.w[6] = subc_cc(r.w[6], 0);
    r.w[7] = subc_cc(r.w[7], borrow);
    if (subc(0, 0)) {
        u256_sub(r, r, one);
    }
    return r;
}

/* The least residue, [0, p). */
FN u256 sm2_fe_canonical(const u256 &a) {
    const u256 p = SM2_P;
    u256 r;
    uint32_t is_less = u256_sub(r, a, p);
    return u256_select(is_less, a, r);
}

FN bool sm2_fe_is_zero(const u256 &a) {
    return u256_is_zero(sm2_fe_canonical(a));
}

FN u256 sm2_fe_to_montgomery(const u256 &a) {
    const u256 rr = SM2_FE_RR;
    return sm2_fe_mul(a, rr);
}

/*
 * The steps of a^(p-2). With power[k] = a^(2^(2^k) - 1), that is 2^k ones, a step squares so many times and multiplies
 * by one of them; a step without squarings begins anew with it. In binary, highest first,
 *
 *     p - 2 = 31 ones, 0, 128 ones, 32 zeros, 62 ones, 0, 1
 */
struct sm2_fe_step {
    uint8_t squarings;
    uint8_t power;
};
#define SM2_FE_INVERSION_STEPS 19
#define SM2_FE_INVERSION_POWERS 6
__constant__ sm2_fe_step sm2_fe_inversion[SM2_FE_INVERSION_STEPS] = {
        {1, 0}, {2, 1}, {4, 2}, {8, 3}, {16, 4},     /* power[1], ..., power[5]. */
        {0, 4}, {8, 3}, {4, 2}, {2, 1}, {1, 0},      /* 31 ones. */
        {33, 5}, {32, 5}, {32, 5}, {32, 5}, {64, 5}, /* 0, 128 ones, 32 zeros, 32 ones. */
        {16, 4}, {8, 3}, {4, 2}, {2, 1},             /* 30 ones. */
};

/*
 * a^-1, 0 for 0. 271 squarings and 19 multiplications, in rolled loops: an inversion must not fill the instruction
 * cache.
 */
FN u256 sm2_fe_inv(const u256 &a) {
    u256 power[SM2_FE_INVERSION_POWERS];
    u256 r = a;
    power[0] = a;
    NO_UNROLL
    for (int step = 0; step < SM2_FE_INVERSION_STEPS; step++) {
        sm2_fe_step now = sm2_fe_inversion[step];
        if (now.squarings == 0) {
            r = power[now.power];
            continue;
        }
        NO_UNROLL
        for (int i = 0; i < now.squarings; i++) {
            r = sm2_fe_sqr(r);
        }
        r = sm2_fe_mul(r, power[now.power]);
        if (step < SM2_FE_INVERSION_POWERS - 1) {
            power[step + 1] = r;
        }
    }
    r = sm2_fe_sqr(sm2_fe_sqr(r));
    return sm2_fe_mul(r, power[0]);
}
