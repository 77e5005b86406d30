/*
 * Runs of odd multiples of a point, in affine coordinates, for one inversion.
 */
#pragma once
#include "sm2_ge.cuh"

/* Reads a key's point. */
FN sm2_affine sm2_ge_load_key(const uint4 *key) {
    sm2_affine point = {sm2_fe_to_montgomery(u256_load_bytes(key)), sm2_fe_to_montgomery(u256_load_bytes(key + 2))};
    return point;
}

/*
 * points[j] = start + j step for j = 0 .. count-1, four uint4 each; growth is room for two uint4 each. No sum may meet
 * the step or its negative.
 *
 * On the isomorphic curve of (x Z^2, y Z^3), with Z the step's, the step is affine and additions are mixed ones. Each
 * multiplies the sum's Z by its h; kept, the h undo each other's inverses on the way back.
 */
FN void sm2_multiples(uint4 *points, uint4 *growth, sm2_jacobian sum, const sm2_jacobian &step, uint32_t count) {
    u256 zz = sm2_fe_sqr(step.z), zzz = sm2_fe_mul(zz, step.z);
    sm2_affine addend = {step.x, step.y};
    sum.x = sm2_fe_mul(sum.x, zz);
    sum.y = sm2_fe_mul(sum.y, zzz);
    u256_store(points, sum.x);
    u256_store(points + 2, sum.y);
    NO_UNROLL
    for (uint32_t j = 1; j < count; j++) {
        u256_store(growth + 2 * j, sm2_ge_add(sum, addend));
        u256_store(points + 4 * j, sum.x);
        u256_store(points + 4 * j + 2, sum.y);
    }
    u256 inverse = sm2_fe_inv(sm2_fe_mul(sum.z, step.z));
    NO_UNROLL
    for (uint32_t j = count; j-- > 0;) {
        zz = sm2_fe_sqr(inverse);
        u256_store(points + 4 * j, sm2_fe_canonical(sm2_fe_mul(u256_load(points + 4 * j), zz)));
        zzz = sm2_fe_mul(zz, inverse);
        u256_store(points + 4 * j + 2, sm2_fe_canonical(sm2_fe_mul(u256_load(points + 4 * j + 2), zzz)));
        if (j > 0) {
            inverse = sm2_fe_mul(inverse, u256_load(growth + 2 * j));
        }
    }
}
