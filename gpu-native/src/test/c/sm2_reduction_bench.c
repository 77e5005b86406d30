/*
 * The field multiplication of the source paper beside ours, on a processor: fast reduction for SM2's prime (its
 * algorithm 1; Solinas 1999) against Montgomery's reduction. Both reduce products of the same multiplication. A
 * remainder that differs ends it.
 */
#include "bench.h"
#include "sm2_fe.h"
#include "u256_product.h"

#include <stdlib.h>

enum { WORDS = 8 };

/*
 * Row k: 2^(256 + 32 k) modulo p as a sum of powers 2^(32 j), p of GB/T 32918.5. Row 0 is 2^256 = 2^224 + 2^96 - 2^64 +
 * 1; a row is the one before times 2^32, whose last word leaves as a multiple of row 0.
 */
static const int64_t factors[WORDS][WORDS] = {
        {1, 0, -1, 1, 0, 0, 0, 1},
        {1, 1, -1, 0, 1, 0, 0, 1},
        {1, 1, 0, 0, 0, 1, 0, 1},
        {1, 1, 0, 1, 0, 0, 1, 1},
        {1, 1, 0, 1, 1, 0, 0, 2},
        {2, 1, -1, 2, 1, 1, 0, 2},
        {2, 2, -1, 1, 2, 1, 1, 2},
        {2, 2, 0, 1, 1, 2, 1, 3},
};

/* word = its low 32 bits; returns the rest, which carries its sign. */
static inline int64_t split(int64_t *word) {
    int64_t carry = *word >> 32;
    *word &= 0xFFFFFFFF;
    return carry;
}

/* r = t mod p, less than 2^256. */
static void fast_reduce(u256 *r, const uint64_t t[WORDS]) {
    int64_t words[WORDS];
    for (int j = 0; j < WORDS; j++) {
        words[j] = (int64_t)(uint32_t)(t[j / 2] >> 32 * (j % 2));
    }
#pragma GCC unroll 8
    for (int k = 0; k < WORDS; k++) {
        int64_t upper = (int64_t)(uint32_t)(t[4 + k / 2] >> 32 * (k % 2));
#pragma GCC unroll 8
        for (int j = 0; j < WORDS; j++) {
            words[j] += upper * factors[k][j];
        }
    }
    /* The sum has a few bits beyond 2^256, of either sign: they go round by row 0 until none is left. */
    int64_t beyond = 0;
    do {
#pragma GCC unroll 8
        for (int j = 0; j < WORDS; j++) {
            words[j] += beyond * factors[0][j];
        }
        beyond = 0;
#pragma GCC unroll 8
        for (int j = 0; j < WORDS; j++) {
            words[j] += beyond;
            beyond = split(&words[j]);
        }
    } while (beyond != 0);
    for (int i = 0; i < 4; i++) {
        r->w[i] = (uint64_t)words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
    }
}

static __attribute__((noinline)) void fast_mul(u256 *r, const u256 *a, const u256 *b) {
    uint64_t t[WORDS];
    u256_mul_wide(t, a, b);
    fast_reduce(r, t);
}

/* a b by both ways: sm2_fe_mul divides by 2^256, which a product with 2^512 mod p takes back. */
static void check_equal(const u256 *a, const u256 *b) {
    u256 fast, montgomery;
    fast_mul(&fast, a, b);
    u256_reduce_once(&fast, &fast, &sm2_fe_p);
    sm2_fe_mul(&montgomery, a, b);
    sm2_fe_mul(&montgomery, &montgomery, &sm2_fe_r2);
    u256_reduce_once(&montgomery, &montgomery, &sm2_fe_p);
    if (!u256_is_equal(&fast, &montgomery)) {
        fputs("the two reductions differ\n", stderr);
        exit(1);
    }
}

int main(void) {
    u256 a = sm2_fe_r2, b = {{~UINT64_C(0), 0, ~UINT64_C(0) << 32, ~UINT64_C(0) << 33}};
    for (int i = 0; i < 100000; i++) {
        check_equal(&a, &b);
        fast_mul(&b, &a, &b);
        u256_reduce_once(&b, &b, &sm2_fe_p);
        a.w[i & 3] ^= (uint64_t)i << (i & 31);
        u256_reduce_once(&a, &a, &sm2_fe_p);
    }
    u256 chains[4] = {a, b, a, b};
    BENCH("fast reduction, dependent", 1000, fast_mul(&a, &a, &b));
    BENCH("Montgomery, dependent", 1000, sm2_fe_mul(&a, &a, &b));
    BENCH("fast reduction, four chains", 1000, fast_mul(&chains[bench_i & 3], &chains[bench_i & 3], &b));
    BENCH("Montgomery, four chains", 1000, sm2_fe_mul(&chains[bench_i & 3], &chains[bench_i & 3], &b));
    return 0;
}
