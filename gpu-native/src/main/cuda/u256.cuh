/*
 * Numbers of 256 bits: eight words, lowest first, kept in registers, so every index below must be known when the loops
 * are unrolled.
 */
#pragma once
#include "carry.cuh"

struct u256 {
    uint32_t w[8];
};

/* r = a + b mod 2^256; returns the carry, 0 or 1. */
FN uint32_t u256_add(u256 &r, const u256 &a, const u256 &b) {
    r.w[0] = add_cc(a.w[0], b.w[0]);
    UNROLL
    for (int i = 1; i < 8; i++) {
        r.w[i] = addc_cc(a.w[i], b.w[i]);
    }
    return addc(0, 0);
}

/* r = a - b mod 2^256; returns the borrow as a mask, 0 or all ones. */
FN uint32_t u256_sub(u256 &r, const u256 &a, const u256 &b) {
    r.w[0] = sub_cc(a.w[0], b.w[0]);
    UNROLL
    for (int i = 1; i < 8; i++) {
        r.w[i] = subc_cc(a.w[i], b.w[i]);
    }
    return subc(0, 0);
}

/* mask ? a : b, for a mask of all ones or 0. */
FN u256 u256_select(uint32_t mask, const u256 &a, const u256 &b) {
    u256 r;
    UNROLL
    for (int i = 0; i < 8; i++) {
        r.w[i] = (a.w[i] & mask) | (b.w[i] & ~mask);
    }
    return r;
}

FN bool u256_is_zero(const u256 &a) {
    return (a.w[0] | a.w[1] | a.w[2] | a.w[3] | a.w[4] | a.w[5] | a.w[6] | a.w[7]) == 0;
}

FN bool u256_is_less(const u256 &a, const u256 &b) {
    u256 difference;
    return u256_sub(difference, a, b) != 0;
}

/* a >> bits, 1..31. */
FN u256 u256_shift_right(const u256 &a, uint32_t bits) {
    u256 r;
    UNROLL
    for (int i = 0; i < 7; i++) {
        r.w[i] = __funnelshift_r(a.w[i], a.w[i + 1], bits);
    }
    r.w[7] = a.w[7] >> bits;
    return r;
}

/* a << bits mod 2^256, 1..31. */
FN u256 u256_shift_left(const u256 &a, uint32_t bits) {
    u256 r;
    UNROLL
    for (int i = 7; i > 0; i--) {
        r.w[i] = __funnelshift_l(a.w[i - 1], a.w[i], bits);
    }
    r.w[0] = a.w[0] << bits;
    return r;
}

/* Reads eight words, lowest first. */
FN u256 u256_load(const uint4 *from) {
    uint4 a = from[0], b = from[1];
    u256 r = {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
    return r;
}

FN void u256_store(uint4 *to, const u256 &a) {
    uint4 low = {a.w[0], a.w[1], a.w[2], a.w[3]};
    uint4 high = {a.w[4], a.w[5], a.w[6], a.w[7]};
    to[0] = low;
    to[1] = high;
}

/* Reads 32 bytes, highest first, as standards write numbers. */
FN u256 u256_load_bytes(const uint4 *from) {
    u256 a = u256_load(from), r;
    UNROLL
    for (int i = 0; i < 8; i++) {
        r.w[i] = byte_swap(a.w[7 - i]);
    }
    return r;
}
