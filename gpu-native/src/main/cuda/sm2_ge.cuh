/*
 * Points of y^2 = x^3 - 3x + b. Affine points have Montgomery coordinates below p; Jacobian ones stand for (X / Z^2, Y
 * / Z^3).
 *
 * The formulas are incomplete on purpose. Adding a point to itself or to its negative gives Z = 0, and every operation
 * keeps Z = 0: a sum that ends with Z = 0 is not known and belongs to somebody slower, see sm2_verify.cuh. No branch is
 * spent on it.
 */
#pragma once
#include "sm2_fe.cuh"

struct sm2_affine {
    u256 x, y;
};

struct sm2_jacobian {
    u256 x, y, z;
};

FN sm2_jacobian sm2_ge_of_affine(const sm2_affine &a) {
    const u256 one = SM2_FE_ONE;
    sm2_jacobian r = {a.x, a.y, one};
    return r;
}

/* mask ? -a : a. */
FN sm2_affine sm2_ge_negate_if(uint32_t mask, const sm2_affine &a) {
    const u256 p = SM2_P;
    sm2_affine r;
    u256_sub(r.y, p, a.y);
    r.y = u256_select(mask, r.y, a.y);
    r.x = a.x;
    return r;
}

/*
 * a += b, 8 multiplications and 3 squarings. Returns h = x_b Z_a^2 - X_a, by which Z grew:
 *
 *     r = y_b Z^3 - Y,   X' = r^2 - h^3 - 2 X h^2,   Y' = r (X h^2 - X') - Y h^3,   Z' = Z h
 *
 * The formulas do not contain the curve's coefficients, so they also add on a curve isomorphic to it.
 */
FN u256 sm2_ge_add(sm2_jacobian &a, const sm2_affine &b) {
    u256 zz = sm2_fe_sqr(a.z);
    u256 h = sm2_fe_sub(sm2_fe_mul(b.x, zz), a.x);
    u256 zzz = sm2_fe_mul(zz, a.z);
    a.z = sm2_fe_mul(a.z, h);
    u256 r = sm2_fe_sub(sm2_fe_mul(b.y, zzz), a.y);
    u256 hh = sm2_fe_sqr(h);
    u256 v = sm2_fe_mul(a.x, hh);
    u256 hhh = sm2_fe_mul(hh, h);
    a.x = sm2_fe_sub(sm2_fe_sub(sm2_fe_sqr(r), hhh), sm2_fe_add(v, v));
    a.y = sm2_fe_sub(sm2_fe_mul(r, sm2_fe_sub(v, a.x)), sm2_fe_mul(a.y, hhh));
    return h;
}

/*
 * a = 2 a, 3 multiplications and 5 squarings:
 *
 *     m = 3 (X - Z^2)(X + Z^2),   v = X Y^2,   X' = m^2 - 8 v,   Z' = 2 Y Z,   Y' = m (4 v - X') - 8 Y^4
 */
FN void sm2_ge_double(sm2_jacobian &a) {
    u256 zz = sm2_fe_sqr(a.z);
    u256 yy = sm2_fe_sqr(a.y);
    u256 v = sm2_fe_mul(a.x, yy);
    u256 m = sm2_fe_mul(sm2_fe_sub(a.x, zz), sm2_fe_add(a.x, zz));
    m = sm2_fe_add(sm2_fe_add(m, m), m);
    a.z = sm2_fe_sub(sm2_fe_sub(sm2_fe_sqr(sm2_fe_add(a.y, a.z)), yy), zz);
    v = sm2_fe_add(v, v);
    v = sm2_fe_add(v, v);
    a.x = sm2_fe_sub(sm2_fe_sqr(m), sm2_fe_add(v, v));
    yy = sm2_fe_sqr(sm2_fe_add(yy, yy));
    a.y = sm2_fe_sub(sm2_fe_mul(m, sm2_fe_sub(v, a.x)), sm2_fe_add(yy, yy));
}
