#include "secp256k1_halves.h"

#include "u256_product.h"

/* p and n are of SEC 2, 2.4.1; lambda is 0x5363AD4CC05C30E0A5261C028812645A122E22EA20816678DF02967C1B23BD72. */
const u256 secp256k1_beta = {{0xC1396C28719501EE, 0x9CF0497512F58995, 0x6E64479EAC3434E9, 0x7AE96A2B657C0710}};

/* The basis, all positive: a1 = b2, -b1, and a2. */
static const u256 a1 = {{0xE86C90E49284EB15, 0x3086D221A7D46BCD, 0, 0}};
static const u256 opposite_b1 = {{0x6F547FA90ABFE4C3, 0xE4437ED6010E8828, 0, 0}};
static const u256 a2 = {{0x57C1108D9D44CFD8, 0x14CA50F7A8E2F3F6, 1, 0}};

/* 2^384 b2 / n and 2^384 (-b1) / n, rounded: their errors move a quotient by 2^-129 at most. */
static const u256 b2_over_n = {{0xE893209A45DBB031, 0x3DAA8A1471E8CA7F, 0xE86C90E49284EB15, 0x3086D221A7D46BCD}};
static const u256 opposite_b1_over_n = {
        {0x1571B4AE8AC47F71, 0x221208AC9DF506C6, 0x6F547FA90ABFE4C4, 0xE4437ED6010E8828}};

/* r = floor(k factor / 2^384), or the next integer where that has another parity; below 2^129. */
static void quotient(u256 *r, const u256 *k, const u256 *factor, uint64_t parity) {
    uint64_t t[8];
    u256_mul_wide(t, k, factor);
    const u256 next = {{(t[6] ^ parity) & 1, 0, 0, 0}};
    *r = (u256){{t[6], t[7], 0, 0}};
    u256_add(r, r, &next);
}

/* r = a b mod 2^256. */
static void multiply(u256 *r, const u256 *a, const u256 *b) {
    uint64_t t[8];
    u256_mul_wide(t, a, b);
    *r = (u256){{t[0], t[1], t[2], t[3]}};
}

/* Puts a half given mod 2^256 in two's complement. */
static void set_half(secp256k1_halves *r, int i, const u256 *half) {
    static const u256 zero;
    u256 opposite;
    u256_sub(&opposite, &zero, half);
    r->is_negative[i] = half->w[3] >> 63;
    u256_select(&r->magnitude[i], u64_mask(r->is_negative[i]), &opposite, half);
}

void secp256k1_halves_of(secp256k1_halves *r, const u256 *k) {
    u256 c1, c2, half, term;
    quotient(&c1, k, &b2_over_n, ~k->w[0] & 1);
    quotient(&c2, k, &opposite_b1_over_n, k->w[0] & 1);
    multiply(&term, &c1, &a1);
    u256_sub(&half, k, &term);
    multiply(&term, &c2, &a2);
    u256_sub(&half, &half, &term);
    set_half(r, 0, &half);
    multiply(&half, &c1, &opposite_b1);
    multiply(&term, &c2, &a1);
    u256_sub(&half, &half, &term);
    set_half(r, 1, &half);
}
