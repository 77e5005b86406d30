#include "sm2_fe.h"

#include "u256_inverse.h"
#include "u256_product.h"
#include "work.h"

const u256 sm2_fe_p = {{0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF00000000, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFEFFFFFFFF}};
/* 2^256 mod p = 2^224 + 2^96 - 2^64 + 1 */
const u256 sm2_fe_one = {{0x0000000000000001, 0x00000000FFFFFFFF, 0x0000000000000000, 0x0000000100000000}};
/* python3 -c 'p=2**256-2**224-2**96+2**64-1; print(hex(2**512%p))' */
const u256 sm2_fe_r2 = {{0x0000000200000003, 0x00000002FFFFFFFF, 0x0000000100000001, 0x0000000400000002}};
/* 2^768 mod p, likewise. */
static const u256 r3 = {{0x0000001200000016, 0x0000000EFFFFFFF8, 0x0000000A0000000C, 0x0000001B00000009}};

/*
 * One Montgomery step: t = (t + m p) / 2^64 with m = t mod 2^64, for t < 2^256; p = -1 mod 2^64 makes the division
 * exact. m p + m = m 2^256 - m 2^224 - m 2^96 + m 2^64, so it takes no multiplication.
 */
static inline void reduce_limb(uint64_t t[4]) {
    uint64_t m = t[0];
    uint64_t low = m << 32, high = m >> 32;
#ifdef __x86_64__
    __asm__("addq %0, %1\n\tadcq $0, %2\n\tadcq $0, %3\n\tadcq $0, %0\n\t"
            "subq %4, %1\n\tsbbq %5, %2\n\tsbbq %4, %3\n\tsbbq %5, %0"
            : "+&r"(m), "+&r"(t[1]), "+&r"(t[2]), "+&r"(t[3])
            : "r"(low), "r"(high)
            : "cc");
    t[0] = t[1], t[1] = t[2], t[2] = t[3], t[3] = m;
#else
    uint64_t borrow = 0, carry = 0;
    uint64_t w1 = u64_sub(m, low, &borrow);
    uint64_t w2 = u64_sub(0, high, &borrow);
    uint64_t w3 = u64_sub(0, low, &borrow);
    uint64_t w4 = u64_sub(m, high, &borrow);
    t[0] = u64_add(t[1], w1, &carry);
    t[1] = u64_add(t[2], w2, &carry);
    t[2] = u64_add(t[3], w3, &carry);
    t[3] = w4 + carry;
#endif
}

/* r = t / 2^256 mod p, for t < p 2^256 (eight limbs). */
static inline void reduce_product(u256 *r, const uint64_t t[8]) {
    uint64_t low[4] = {t[0], t[1], t[2], t[3]};
    for (int i = 0; i < 4; i++) {
        reduce_limb(low);
    }
    const u256 a = {{low[0], low[1], low[2], low[3]}}, b = {{t[4], t[5], t[6], t[7]}};
    u256 sum, reduced;
    uint64_t carry = u256_add(&sum, &a, &b);
    uint64_t borrow = u256_sub(&reduced, &sum, &sm2_fe_p);
    u256_select(r, u64_mask(borrow & (carry ^ 1)), &sum, &reduced);
}

void sm2_fe_mul(u256 *r, const u256 *a, const u256 *b) {
    WORK(WORK_MULTIPLICATION);
    uint64_t t[8];
    u256_mul_wide(t, a, b);
    reduce_product(r, t);
}

void sm2_fe_sqr(u256 *r, const u256 *a) {
    WORK(WORK_MULTIPLICATION);
    uint64_t t[8];
    u256_sqr_wide(t, a);
    reduce_product(r, t);
}

void sm2_fe_sqr_n(u256 *r, const u256 *a, int n) {
    sm2_fe_sqr(r, a);
    for (int i = 1; i < n; i++) {
        sm2_fe_sqr(r, r);
    }
}

/* r = a^(2^n) * b, with r different from b. */
static void sqr_n_mul(u256 *r, const u256 *a, int n, const u256 *b) {
    u256 t;
    sm2_fe_sqr_n(&t, a, n);
    sm2_fe_mul(r, &t, b);
}

/*
 * p - 2 in 32-bit words, highest first: FFFFFFFE FFFFFFFF FFFFFFFF FFFFFFFF FFFFFFFF 00000000 FFFFFFFF FFFFFFFD.
 * x<k> is a^(2^k - 1).
 */
void sm2_fe_inv(u256 *r, const u256 *a) {
    u256 x1 = *a, x2, x4, x8, x16, x30, x31, x32, t;
    sqr_n_mul(&x2, &x1, 1, &x1);
    sqr_n_mul(&x4, &x2, 2, &x2);
    sqr_n_mul(&x8, &x4, 4, &x4);
    sqr_n_mul(&x16, &x8, 8, &x8);
    sqr_n_mul(&t, &x16, 8, &x8);
    sqr_n_mul(&t, &t, 4, &x4);
    sqr_n_mul(&x30, &t, 2, &x2);
    sqr_n_mul(&x31, &x30, 1, &x1);
    sqr_n_mul(&x32, &x31, 1, &x1);
    sm2_fe_sqr(&t, &x31);
    for (int i = 0; i < 4; i++) {
        sqr_n_mul(&t, &t, 32, &x32);
    }
    sqr_n_mul(&t, &t, 64, &x32);
    sqr_n_mul(&t, &t, 30, &x30);
    sqr_n_mul(r, &t, 2, &x1);
}

void sm2_fe_inv_var(u256 *r, const u256 *a) {
    u256 inverse;
    u256_inverse_var(&inverse, a, &sm2_fe_p);
    sm2_fe_mul(r, &inverse, &r3);
}

void sm2_fe_from_integer(u256 *r, const u256 *a) {
    u256 reduced;
    u256_reduce_once(&reduced, a, &sm2_fe_p);
    sm2_fe_mul(r, &reduced, &sm2_fe_r2);
}

void sm2_fe_to_integer(u256 *r, const u256 *a) {
    static const u256 one = {{1, 0, 0, 0}};
    sm2_fe_mul(r, a, &one);
}
