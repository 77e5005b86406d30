#include "sm2_ge.h"

#include "sm2_windows.h"

const u256 sm2_ge_order = {{0x53BBF40939D54123, 0x7203DF6B21C6052B, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFEFFFFFFFF}};
/* Coordinates times 2^256 mod p, from GB/T 32918.5. */
const sm2_ge_affine sm2_ge_generator = {
    {{0x61328990F418029E, 0x3E7981EDDCA6C050, 0xD6A1ED99AC24C3C3, 0x91167A5EE1C13B05}},
    {{0xC1354E593C2D0DDD, 0xC1F5E5788D3295FA, 0x8D4CFB066E2A48F8, 0x63CD65D481D735BD}},
};
static const u256 curve_b = {{0x90D230632BC0DD42, 0x71CF379AE9B537AB, 0x527981505EA51C3C, 0x240FE188BA20E2C8}};

/* Windows of the slow multiplication: 52 of them, 16 odd multiples of each point. */
#define SLOW_WINDOW_BITS 5
#define SLOW_ENTRIES (1 << (SLOW_WINDOW_BITS - 1))

int sm2_ge_is_on_curve_var(const sm2_ge_affine *a) {
    u256 left, right, three_x;
    sm2_fe_sqr(&left, &a->y);
    sm2_fe_sqr(&right, &a->x);
    sm2_fe_mul(&right, &right, &a->x);
    sm2_fe_add(&three_x, &a->x, &a->x);
    sm2_fe_add(&three_x, &three_x, &a->x);
    sm2_fe_sub(&right, &right, &three_x);
    sm2_fe_add(&right, &right, &curve_b);
    return (int)u256_is_equal(&left, &right);
}

void sm2_ge_from_affine(sm2_ge_jacobian *r, const sm2_ge_affine *a) {
    *r = (sm2_ge_jacobian){a->x, a->y, sm2_fe_one};
}

/*
 * delta = z^2, gamma = y^2, beta = x gamma, alpha = 3 (x - delta)(x + delta) because a = -3;
 * x' = alpha^2 - 8 beta, y' = alpha (4 beta - x') - 8 gamma^2, z' = (y + z)^2 - gamma - delta = 2 y z.
 */
void sm2_ge_double(sm2_ge_jacobian *r, const sm2_ge_jacobian *a) {
    u256 delta, gamma, beta, alpha, t, u;
    sm2_fe_sqr(&delta, &a->z);
    sm2_fe_sqr(&gamma, &a->y);
    sm2_fe_mul(&beta, &a->x, &gamma);
    sm2_fe_sub(&t, &a->x, &delta);
    sm2_fe_add(&u, &a->x, &delta);
    sm2_fe_mul(&t, &t, &u);
    sm2_fe_add(&alpha, &t, &t);
    sm2_fe_add(&alpha, &alpha, &t);
    sm2_fe_add(&t, &a->y, &a->z);
    sm2_fe_sqr(&t, &t);
    sm2_fe_sub(&t, &t, &gamma);
    sm2_fe_sub(&r->z, &t, &delta);
    sm2_fe_add(&beta, &beta, &beta);
    sm2_fe_add(&beta, &beta, &beta);
    sm2_fe_sqr(&t, &alpha);
    sm2_fe_sub(&t, &t, &beta);
    sm2_fe_sub(&r->x, &t, &beta);
    sm2_fe_sub(&t, &beta, &r->x);
    sm2_fe_mul(&t, &alpha, &t);
    sm2_fe_sqr(&u, &gamma);
    sm2_fe_add(&u, &u, &u);
    sm2_fe_add(&u, &u, &u);
    sm2_fe_add(&u, &u, &u);
    sm2_fe_sub(&r->y, &t, &u);
}

/*
 * h = x2 z1^2 - x1, v = y2 z1^3 - y1; x' = v^2 - h^3 - 2 x1 h^2, y' = v (x1 h^2 - x') - y1 h^3, z' = z1 h.
 */
void sm2_ge_add_affine_var(sm2_ge_jacobian *r, const sm2_ge_jacobian *a, const sm2_ge_affine *b) {
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

void sm2_ge_neg_affine(sm2_ge_affine *r, const sm2_ge_affine *a) {
    r->x = a->x;
    sm2_fe_neg(&r->y, &a->y);
}

void sm2_ge_to_affine_var(sm2_ge_affine *r, const sm2_ge_jacobian *a, size_t count) {
    if (count == 0) {
        return;
    }
    /* r[i].x holds z[0] ... z[i] until its turn comes. */
    r[0].x = a[0].z;
    for (size_t i = 1; i < count; i++) {
        sm2_fe_mul(&r[i].x, &r[i - 1].x, &a[i].z);
    }
    u256 inverse, zi, zz;
    sm2_fe_inv_var(&inverse, &r[count - 1].x);
    for (size_t i = count; i-- > 0;) {
        if (i == 0) {
            zi = inverse;
        } else {
            sm2_fe_mul(&zi, &inverse, &r[i - 1].x);
            sm2_fe_mul(&inverse, &inverse, &a[i].z);
        }
        sm2_fe_sqr(&zz, &zi);
        sm2_fe_mul(&r[i].x, &a[i].x, &zz);
        sm2_fe_mul(&zz, &zz, &zi);
        sm2_fe_mul(&r[i].y, &a[i].y, &zz);
    }
}

/* table[i] = (2 i + 1) p. */
static void odd_multiples(sm2_ge_affine table[SLOW_ENTRIES], const sm2_ge_affine *p) {
    sm2_ge_jacobian multiples[SLOW_ENTRIES], twice;
    sm2_ge_affine twice_affine;
    sm2_ge_from_affine(&multiples[0], p);
    sm2_ge_double(&twice, &multiples[0]);
    sm2_ge_to_affine_var(&twice_affine, &twice, 1);
    for (int i = 1; i < SLOW_ENTRIES; i++) {
        sm2_ge_add_affine_var(&multiples[i], &multiples[i - 1], &twice_affine);
    }
    sm2_ge_to_affine_var(table, multiples, SLOW_ENTRIES);
}

/* r += digit p, where table has the odd multiples of p. */
static void add_digit(sm2_ge_jacobian *r, const sm2_ge_affine table[SLOW_ENTRIES], int digit) {
    sm2_ge_affine entry = table[(digit < 0 ? -digit : digit) >> 1];
    if (digit < 0) {
        sm2_ge_neg_affine(&entry, &entry);
    }
    sm2_ge_add_affine_var(r, r, &entry);
}

void sm2_ge_multiply_add_var(sm2_ge_jacobian *r, const u256 *s, const u256 *t, const sm2_ge_affine *p) {
    const u256 *const scalars[2] = {s, t};
    const sm2_ge_affine *const points[2] = {&sm2_ge_generator, p};
    sm2_ge_affine tables[2][SLOW_ENTRIES];
    sm2_windows windows[2];
    for (int i = 0; i < 2; i++) {
        odd_multiples(tables[i], points[i]);
        if (!u256_is_zero(scalars[i])) {
            sm2_windows_of(&windows[i], scalars[i], &sm2_ge_order, SLOW_WINDOW_BITS);
        }
    }
    sm2_ge_jacobian sum = {{{0}}, {{0}}, {{0}}};
    for (int j = sm2_windows_count(SLOW_WINDOW_BITS) - 1; j >= 0; j--) {
        for (int i = 0; i < SLOW_WINDOW_BITS; i++) {
            sm2_ge_double(&sum, &sum);
        }
        for (int i = 0; i < 2; i++) {
            if (!u256_is_zero(scalars[i])) {
                add_digit(&sum, tables[i], sm2_windows_digit(&windows[i], j, SLOW_WINDOW_BITS));
            }
        }
    }
    *r = sum;
}
