#include "sm2_ge.h"

const u256 sm2_ge_order = {{0x53BBF40939D54123, 0x7203DF6B21C6052B, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFEFFFFFFFF}};
const u256 sm2_ge_order_gap = {{0xAC440BF6C62ABEDC, 0x8DFC2093DE39FAD5, 0x0000000000000000, 0x0000000000000000}};
/* Coordinates times 2^256 mod p, from GB/T 32918.5. */
const sm2_ge_affine sm2_ge_generator = {
        {{0x61328990F418029E, 0x3E7981EDDCA6C050, 0xD6A1ED99AC24C3C3, 0x91167A5EE1C13B05}},
        {{0xC1354E593C2D0DDD, 0xC1F5E5788D3295FA, 0x8D4CFB066E2A48F8, 0x63CD65D481D735BD}},
};
static const u256 curve_b = {{0x90D230632BC0DD42, 0x71CF379AE9B537AB, 0x527981505EA51C3C, 0x240FE188BA20E2C8}};

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
