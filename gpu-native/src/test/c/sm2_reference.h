/*
 * s G + t P by doublings and complete additions, which share no table, no recoding of G's part and no formula with
 * verification: what tests compare with.
 */
#ifndef SEALBOOK_SM2_REFERENCE_H
#define SEALBOOK_SM2_REFERENCE_H

#include "sm2_ge.h"
#include "signed_windows.h"

/* 52 windows, 16 odd multiples of each point. */
#define REFERENCE_WINDOW_BITS 5
#define REFERENCE_ENTRIES (1 << (REFERENCE_WINDOW_BITS - 1))

/*
 * r = a + b, for every a and b: h = x2 z1^2 - x1, v = y2 z1^3 - y1; x' = v^2 - h^3 - 2 x1 h^2, y' = v (x1 h^2 - x') -
 * y1 h^3, z' = z1 h.
 */
static inline void reference_add(sm2_ge_jacobian *r, const sm2_ge_jacobian *a, const sm2_ge_affine *b) {
    if (u256_is_zero(&a->z)) {
        sm2_ge_from_affine(r, b);
        return;
    }
    u256 zz, h, v, hh, hhh, t, x;
    sm2_fe_sqr(&zz, &a->z);
    sm2_fe_mul(&h, &b->x, &zz);
    sm2_fe_sub(&h, &h, &a->x);
    sm2_fe_mul(&v, &b->y, &zz);
    sm2_fe_mul(&v, &v, &a->z);
    sm2_fe_sub(&v, &v, &a->y);
    if (u256_is_zero(&h) && u256_is_zero(&v)) {
        sm2_ge_double(r, a);
        return;
    }
    /* With h = 0 and v not, the points are opposite, and z' = 0 says so. */
    sm2_fe_sqr(&hh, &h);
    sm2_fe_mul(&hhh, &hh, &h);
    sm2_fe_mul(&t, &a->x, &hh);
    sm2_fe_sqr(&x, &v);
    sm2_fe_sub(&x, &x, &hhh);
    sm2_fe_sub(&x, &x, &t);
    sm2_fe_sub(&x, &x, &t);
    sm2_fe_sub(&t, &t, &x);
    sm2_fe_mul(&t, &t, &v);
    sm2_fe_mul(&hhh, &hhh, &a->y);
    sm2_fe_sub(&r->y, &t, &hhh);
    sm2_fe_mul(&r->z, &a->z, &h);
    r->x = x;
}

/* r = -a. */
static inline void reference_neg(sm2_ge_affine *r, const sm2_ge_affine *a) {
    r->x = a->x;
    sm2_fe_neg(&r->y, &a->y);
}

/* table[i] = (2 i + 1) p. */
static inline void reference_odd_multiples(sm2_ge_affine table[REFERENCE_ENTRIES], const sm2_ge_affine *p) {
    sm2_ge_jacobian multiples[REFERENCE_ENTRIES], twice;
    sm2_ge_affine twice_affine;
    sm2_ge_from_affine(&multiples[0], p);
    sm2_ge_double(&twice, &multiples[0]);
    sm2_ge_to_affine_var(&twice_affine, &twice, 1);
    for (int i = 1; i < REFERENCE_ENTRIES; i++) {
        reference_add(&multiples[i], &multiples[i - 1], &twice_affine);
    }
    sm2_ge_to_affine_var(table, multiples, REFERENCE_ENTRIES);
}

/* r += digit p, where table has the odd multiples of p. */
static inline void reference_add_digit(sm2_ge_jacobian *r, const sm2_ge_affine table[REFERENCE_ENTRIES], int digit) {
    sm2_ge_affine entry = table[(digit < 0 ? -digit : digit) >> 1];
    if (digit < 0) {
        reference_neg(&entry, &entry);
    }
    reference_add(r, r, &entry);
}

/* r = s G + t P for any s, t < n. About 100,000 cycles. */
static inline void reference_multiply_add(sm2_ge_jacobian *r, const u256 *s, const u256 *t, const sm2_ge_affine *p) {
    const u256 *const scalars[2] = {s, t};
    const sm2_ge_affine *const points[2] = {&sm2_ge_generator, p};
    sm2_ge_affine tables[2][REFERENCE_ENTRIES];
    signed_windows windows[2];
    for (int i = 0; i < 2; i++) {
        reference_odd_multiples(tables[i], points[i]);
        if (!u256_is_zero(scalars[i])) {
            signed_windows_of(&windows[i], scalars[i], &sm2_ge_order, REFERENCE_WINDOW_BITS);
        }
    }
    sm2_ge_jacobian sum = {{{0}}, {{0}}, {{0}}};
    for (int j = signed_windows_count(REFERENCE_WINDOW_BITS) - 1; j >= 0; j--) {
        for (int i = 0; i < REFERENCE_WINDOW_BITS; i++) {
            sm2_ge_double(&sum, &sum);
        }
        for (int i = 0; i < 2; i++) {
            if (!u256_is_zero(scalars[i])) {
                reference_add_digit(&sum, tables[i], signed_windows_digit(&windows[i], j, REFERENCE_WINDOW_BITS));
            }
        }
    }
    *r = sum;
}

#endif
