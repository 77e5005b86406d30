#include "secp256k1_fe.h"

#include "u256_product.h"
#include "u256_secret_inverse.h"
#include "work.h"

const u256 secp256k1_fe_p = {{0xFFFFFFFEFFFFFC2F, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF}};

/* python3 -c 'print(hex(pow(2**256-2**32-977,-1,2**62)))' */
static const u256_secret_modulus modulus = {
        .m = {{0xFFFFFFFEFFFFFC2F, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF}},
        .inverse62 = 0x27C7F6E22DDACACF,
};

/* r = t mod p (eight limbs): 2^256 = c mod p, applied to the high half, and again to what overflows. */
static inline void fold(u256 *r, const uint64_t t[8]) {
    uint64_t w[4], carry = 0;
    for (int i = 0; i < 4; i++) {
        w[i] = u64_mul_add(t[4 + i], SECP256K1_FE_C, t[i], &carry);
    }
    u128 over = (u128)carry * SECP256K1_FE_C;
    uint64_t bit = 0;
    w[0] = u64_add(w[0], (uint64_t)over, &bit);
    w[1] = u64_add(w[1], (uint64_t)(over >> 64), &bit);
    w[2] = u64_add(w[2], 0, &bit);
    w[3] = u64_add(w[3], 0, &bit);
    /* After a carry the number left is below 2^68, so that the next cannot carry beyond its second limb. */
    uint64_t last = 0;
    r->w[0] = u64_add(w[0], SECP256K1_FE_C & (0 - bit), &last);
    r->w[1] = w[1] + last;
    r->w[2] = w[2];
    r->w[3] = w[3];
}

void secp256k1_fe_mul(u256 *r, const u256 *a, const u256 *b) {
    WORK(WORK_MULTIPLICATION);
    uint64_t t[8];
    u256_mul_wide(t, a, b);
    fold(r, t);
}

void secp256k1_fe_sqr(u256 *r, const u256 *a) {
    WORK(WORK_MULTIPLICATION);
    uint64_t t[8];
    u256_sqr_wide(t, a);
    fold(r, t);
}

void secp256k1_fe_inv(u256 *r, const u256 *a) {
    u256 reduced;
    secp256k1_fe_normalize(&reduced, a);
    u256_secret_inverse(r, &reduced, &modulus);
}

/* r = a^(2^n) * b, with r different from b. */
static void sqr_n_mul(u256 *r, const u256 *a, int n, const u256 *b) {
    u256 t = *a;
    for (int i = 0; i < n; i++) {
        secp256k1_fe_sqr(&t, &t);
    }
    secp256k1_fe_mul(r, &t, b);
}

/* (p + 1) / 4 = 2^254 - 2^30 - 244, in binary 223 ones, a zero, 22 ones, 00001100. x<k> is a^(2^k - 1). */
uint64_t secp256k1_fe_sqrt(u256 *r, const u256 *a) {
    u256 x1 = *a, x2, x3, x6, x9, x11, x22, x44, x88, x176, x220, x223, t, square, difference;
    sqr_n_mul(&x2, &x1, 1, &x1);
    sqr_n_mul(&x3, &x2, 1, &x1);
    sqr_n_mul(&x6, &x3, 3, &x3);
    sqr_n_mul(&x9, &x6, 3, &x3);
    sqr_n_mul(&x11, &x9, 2, &x2);
    sqr_n_mul(&x22, &x11, 11, &x11);
    sqr_n_mul(&x44, &x22, 22, &x22);
    sqr_n_mul(&x88, &x44, 44, &x44);
    sqr_n_mul(&x176, &x88, 88, &x88);
    sqr_n_mul(&x220, &x176, 44, &x44);
    sqr_n_mul(&x223, &x220, 3, &x3);
    sqr_n_mul(&t, &x223, 23, &x22);
    sqr_n_mul(&t, &t, 6, &x2);
    secp256k1_fe_sqr(&t, &t);
    secp256k1_fe_sqr(&t, &t);
    secp256k1_fe_sqr(&square, &t);
    secp256k1_fe_sub(&difference, &square, a);
    *r = t;
    return secp256k1_fe_is_zero(&difference);
}
