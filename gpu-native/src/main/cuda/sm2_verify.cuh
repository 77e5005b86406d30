/*
 * SM2 verification, GB/T 32918.2, 7.1: with t = r + s mod n, not 0, and (x1, y1) = s G + t P, a signature is valid when
 * r = e + x1 mod n.
 *
 * No inversion is needed: with the sum in Jacobian coordinates, x1 = X / Z^2 is compared as X = x1 Z^2 for x1 = r - e
 * mod n, and for x1 + n where that is below p.
 */
#pragma once
#include "sm2_comb.cuh"
#include "sm2_multiples.cuh"
#include "sm2_row.cuh"

/* Windows of an arbitrary key's scalar: eight odd multiples, made for this signature alone. */
#define SM2_ANY_WINDOW_BITS 4
#define SM2_ANY_POINTS 8

/* Checks r and s and makes t; false if the signature is invalid whatever the key. */
FN bool sm2_verify_scalars(u256 &s, u256 &t, const uint4 *row) {
    u256 r = sm2_row_r(row);
    s = sm2_row_s(row);
    if (!sm2_scalar_is_valid(r) || !sm2_scalar_is_valid(s)) {
        return false;
    }
    t = sm2_scalar_add(r, s);
    return !u256_is_zero(t);
}

/* s G + t P from two tables, in one loop, so that the addition stands only once in the instruction cache. */
FN sm2_jacobian sm2_verify_known_sum(const uint4 *row, const uint4 *g_table, uint32_t g_window_bits,
        const uint4 *key_table, uint32_t key_window_bits) {
    uint32_t g_count = sm2_comb_count(g_window_bits), key_count = sm2_comb_count(key_window_bits);
    sm2_comb comb = sm2_comb_of(sm2_row_s(row));
    const uint4 *table = g_table;
    uint32_t window_bits = g_window_bits;
    sm2_jacobian sum = sm2_ge_of_affine(sm2_comb_next(comb, table, window_bits, g_count == 1));
    NO_UNROLL
    for (uint32_t i = 1; i < g_count + key_count; i++) {
        if (i == g_count) {
            /* t is made again rather than kept: registers are dearer than an addition. */
            comb = sm2_comb_of(sm2_scalar_add(sm2_row_r(row), sm2_row_s(row)));
            table = key_table;
            window_bits = key_window_bits;
        } else {
            table += (uint64_t)SM2_POINT_QUADS << (window_bits - 1);
        }
        bool is_last = i == g_count - 1 || i == g_count + key_count - 1;
        sm2_ge_add(sum, sm2_comb_next(comb, table, window_bits, is_last));
    }
    return sum;
}

/* Takes the highest window off and returns the point it stands for, from the odd multiples of the key. */
FN sm2_affine sm2_verify_any_next(sm2_comb &comb, const uint4 *points) {
    uint32_t is_negative;
    uint32_t entry = sm2_comb_entry(comb.bits.w[7] >> (32 - SM2_ANY_WINDOW_BITS), SM2_ANY_WINDOW_BITS, is_negative);
    comb.bits = u256_shift_left(comb.bits, SM2_ANY_WINDOW_BITS);
    sm2_affine point = {u256_load(points + entry * SM2_POINT_QUADS), u256_load(points + entry * SM2_POINT_QUADS + 2)};
    return sm2_ge_negate_if(is_negative ^ comb.sign, point);
}

/*
 * s G + t P for a key without a table: t's windows from the highest down, 252 doublings and 63 additions, then s from
 * the generator's table. Again one loop, in which the generator's windows need no doublings.
 */
FN sm2_jacobian sm2_verify_any_sum(
        const uint4 *row, const uint4 *key, const u256 &t, const uint4 *g_table, uint32_t g_window_bits) {
    uint4 points[SM2_ANY_POINTS * SM2_POINT_QUADS], growth[SM2_ANY_POINTS * 2];
    sm2_jacobian sum = sm2_ge_of_affine(sm2_ge_load_key(key)), step = sum;
    sm2_ge_double(step);
    sm2_multiples(points, growth, sum, step, SM2_ANY_POINTS);

    uint32_t key_count = sm2_comb_count(SM2_ANY_WINDOW_BITS), g_count = sm2_comb_count(g_window_bits);
    sm2_comb comb = sm2_comb_of(t);
    comb.bits.w[7] |= 0x80000000;
    sum = sm2_ge_of_affine(sm2_verify_any_next(comb, points));
    NO_UNROLL
    for (uint32_t i = 1; i < key_count + g_count; i++) {
        sm2_affine point;
        if (i < key_count) {
            NO_UNROLL
            for (int j = 0; j < SM2_ANY_WINDOW_BITS; j++) {
                sm2_ge_double(sum);
            }
            point = sm2_verify_any_next(comb, points);
        } else {
            if (i == key_count) {
                comb = sm2_comb_of(sm2_row_s(row));
            }
            point = sm2_comb_next(comb, g_table, g_window_bits, i == key_count + g_count - 1);
            g_table += (uint64_t)SM2_POINT_QUADS << (g_window_bits - 1);
        }
        sm2_ge_add(sum, point);
    }
    return sum;
}

/* Compares the sum with what the signature says of it. */
FN uint8_t sm2_verify_verdict(const sm2_jacobian &sum, const uint4 *row, const uint4 *key) {
    const u256 n = SM2_N, p = SM2_P;
    if (sm2_fe_is_zero(sum.z)) {
        return SM2_UNDECIDED;
    }
    u256 x = sm2_scalar_sub(sm2_row_r(row), sm2_scalar_reduce(sm2_row_digest(row, key)));
    u256 zz = sm2_fe_sqr(sum.z);
    NO_UNROLL
    for (int candidate = 0; candidate < 2; candidate++) {
        if (sm2_fe_is_zero(sm2_fe_sub(sm2_fe_mul(sm2_fe_to_montgomery(x), zz), sum.x))) {
            return SM2_VALID;
        }
        if (u256_add(x, x, n) || !u256_is_less(x, p)) {
            break;
        }
    }
    return SM2_INVALID;
}

FN uint8_t sm2_verify_known(const uint4 *row, const uint4 *key, const uint4 *g_table, uint32_t g_window_bits,
        const uint4 *key_table, uint32_t key_window_bits) {
    u256 s, t;
    if (!sm2_verify_scalars(s, t, row)) {
        return SM2_INVALID;
    }
    sm2_jacobian sum = sm2_verify_known_sum(row, g_table, g_window_bits, key_table, key_window_bits);
    return sm2_verify_verdict(sum, row, key);
}

FN uint8_t sm2_verify_any(const uint4 *row, const uint4 *key, const uint4 *g_table, uint32_t g_window_bits) {
    u256 s, t;
    if (!sm2_verify_scalars(s, t, row)) {
        return SM2_INVALID;
    }
    sm2_jacobian sum = sm2_verify_any_sum(row, key, t, g_table, g_window_bits);
    return sm2_verify_verdict(sum, row, key);
}
