/*
 * Scalars in windows without zero digits, and the tables that go with them; crypto's OddWindows says the same in Java.
 *
 * With windows of w bits, count = ceil(256 / w) of them, and k odd, let B = (k >> 1) + 2^(w count - 1) and b(i) its
 * i-th window. Then
 *
 *     k = sum of d(i) 2^(w i)   with d(i) = 2 b(i) + 1 - 2^w, odd and below 2^w in magnitude.
 *
 * An even k is replaced by n - k and every digit's sign is turned. So each window costs one addition, in every thread
 * alike.
 *
 * Table of a point P: for each window i, 2^(w-1) affine points (2 j + 1) 2^(w i) P, j = 0, 1, ...; 64 bytes each, x
 * then y, words lowest first.
 */
#pragma once
#include "sm2_ge.cuh"
#include "sm2_scalar.cuh"

/* uint4 elements of a point in a table. */
#define SM2_POINT_QUADS 4

struct sm2_comb {
    u256 bits;
    uint32_t sign;
};

FN uint32_t sm2_comb_count(uint32_t window_bits) {
    return (255 + window_bits) / window_bits;
}

/* The place of digit 2 b + 1 - 2^w among 1, 3, 5, ... by magnitude, and its sign as a mask. */
FN uint32_t sm2_comb_entry(uint32_t b, uint32_t window_bits, uint32_t &is_negative) {
    uint32_t half = 1u << (window_bits - 1);
    is_negative = 0u - (uint32_t)(b < half);
    return (b - half) ^ is_negative;
}

/* Begins with the windows of k, 1 <= k < n. */
FN sm2_comb sm2_comb_of(const u256 &k) {
    const u256 n = SM2_N;
    sm2_comb comb;
    u256 negated;
    comb.sign = (k.w[0] & 1) - 1;
    u256_sub(negated, n, k);
    comb.bits = u256_shift_right(u256_select(comb.sign, negated, k), 1);
    return comb;
}

/* Takes the lowest window off and returns the point it stands for, from that window's part of the table. */
FN sm2_affine sm2_comb_next(sm2_comb &comb, const uint4 *window_table, uint32_t window_bits, bool is_last) {
    uint32_t half = 1u << (window_bits - 1), is_negative;
    uint32_t b = comb.bits.w[0] & (2 * half - 1);
    if (is_last) {
        b |= half;
    }
    comb.bits = u256_shift_right(comb.bits, window_bits);
    const uint4 *entry = window_table + sm2_comb_entry(b, window_bits, is_negative) * SM2_POINT_QUADS;
    sm2_affine point = {u256_load(entry), u256_load(entry + 2)};
    return sm2_ge_negate_if(is_negative ^ comb.sign, point);
}
