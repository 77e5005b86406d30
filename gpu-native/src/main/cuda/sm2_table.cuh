/*
 * Making the tables of sm2_comb.cuh, one thread a chunk of one window.
 */
#pragma once
#include "sm2_comb.cuh"
#include "sm2_multiples.cuh"

/* Points a thread makes; windows of up to 8 bits are one chunk. */
#define SM2_CHUNK_POINTS 128

FN uint32_t sm2_table_chunk_points(uint32_t window_bits) {
    uint32_t half = 1u << (window_bits - 1);
    return half < SM2_CHUNK_POINTS ? half : SM2_CHUNK_POINTS;
}

/* Threads that one table takes. */
FN uint32_t sm2_table_threads(uint32_t window_bits) {
    return sm2_comb_count(window_bits) * ((1u << (window_bits - 1)) / sm2_table_chunk_points(window_bits));
}

/* Points of one table. */
FN uint64_t sm2_table_points(uint32_t window_bits) {
    return (uint64_t)sm2_comb_count(window_bits) << (window_bits - 1);
}

/* The place of the highest bit of a, which is not 0. */
FN int sm2_table_highest_bit(uint32_t a) {
    int bit = 0;
    while (a >>= 1) {
        bit++;
    }
    return bit;
}

/*
 * multiple 2^doublings point, by doubling and adding from the highest bit down. multiple is not 0, and the product is
 * below the order.
 */
FN sm2_jacobian sm2_table_multiple(const sm2_affine &point, uint32_t multiple, uint32_t doublings) {
    sm2_jacobian sum = sm2_ge_of_affine(point);
    NO_UNROLL
    for (int bit = sm2_table_highest_bit(multiple) + (int)doublings - 1; bit >= 0; bit--) {
        sm2_ge_double(sum);
        if (bit >= (int)doublings && (multiple >> (bit - doublings) & 1)) {
            sm2_ge_add(sum, point);
        }
    }
    return sum;
}

/*
 * Makes the chunk'th part of a table, counted over all windows. Multiples below the order never meet, so every sum is
 * defined.
 */
FN void sm2_table_make_chunk(uint4 *table, uint4 *growth, const uint4 *key, uint32_t chunk, uint32_t window_bits) {
    uint32_t count = sm2_table_chunk_points(window_bits);
    uint32_t chunks_per_window = (1u << (window_bits - 1)) / count;
    uint32_t doublings = chunk / chunks_per_window * window_bits;
    uint32_t first = chunk % chunks_per_window * count;
    sm2_affine point = sm2_ge_load_key(key);
    sm2_jacobian sum = sm2_ge_of_affine(point), step = sum;
    /* One loop for both, so that the formulas are compiled once. */
    NO_UNROLL
    for (int i = 0; i < 2; i++) {
        step = sum;
        sum = sm2_table_multiple(point, i == 0 ? 1 : 2 * first + 1, i == 0 ? doublings + 1 : doublings);
    }
    uint64_t at = (uint64_t)chunk * count;
    sm2_multiples(table + at * SM2_POINT_QUADS, growth + at * 2, sum, step, count);
}
