/*
 * Complete formulas, where points meet all the time: sums of a few small multiples of G, and products under keys that
 * are such multiples.
 */
#include "sm2_fixture.h"
#include "sm2_multiply.h"

#define SUMS 16
#define TERMS 40
#define MULTIPLES 5

static u256 x_of[TERMS * MULTIPLES + 1];

/* x(m G) mod n for all m that a sum can be. */
static void make_expected(void) {
    static const u256 zero;
    for (uint64_t m = 1; m <= TERMS * MULTIPLES; m++) {
        u256 scalar = {{m, 0, 0, 0}};
        sm2_ge_jacobian product;
        sm2_ge_affine affine;
        reference_multiply_add(&product, &scalar, &zero, &sm2_ge_generator);
        sm2_ge_to_affine_var(&affine, &product, 1);
        sm2_fe_to_integer(&x_of[m], &affine.x);
        u256_reduce_once(&x_of[m], &x_of[m], &sm2_ge_order);
    }
}

/* Writes a sum of count terms and returns its multiple of G, sign left out. */
static int make_sum(uint64_t *terms, int stride, int count, const sm2_ge_affine *multiples) {
    int sum = 0;
    for (int k = 0; k < count; k++) {
        int m = 1 + (int)(check_random() % MULTIPLES), is_negative = (int)(check_random() % 2);
        /* As often as not the term is the sum so far, or its opposite. */
        int before = sum < 0 ? -sum : sum;
        if (check_random() % 2 && before >= 1 && before <= MULTIPLES) {
            m = before;
        }
        terms[k * stride] = (uint64_t)(uintptr_t)&multiples[m - 1] | (uint64_t)is_negative;
        sum += is_negative ? -m : m;
    }
    return sum < 0 ? -sum : sum;
}

static void should_sum_whatever_meets(sm2_tables_form form) {
    sm2_ge_affine *multiples = fixture_memory(MULTIPLES * sizeof *multiples);
    sm2_ge_jacobian jacobian[MULTIPLES];
    sm2_ge_from_affine(&jacobian[0], &sm2_ge_generator);
    for (int i = 1; i < MULTIPLES; i++) {
        reference_add(&jacobian[i], &jacobian[i - 1], &sm2_ge_generator);
    }
    sm2_ge_to_affine_var(multiples, jacobian, MULTIPLES);
    for (int i = 0; i < MULTIPLES && form == SM2_TABLES_TIMES_2_260; i++) {
        for (int j = 0; j < 4; j++) {
            sm2_fe_add(&multiples[i].x, &multiples[i].x, &multiples[i].x);
            sm2_fe_add(&multiples[i].y, &multiples[i].y, &multiples[i].y);
        }
    }
    for (int round = 0; round < 300; round++) {
        uint64_t terms[TERMS * SUMS];
        uint8_t verdicts[SUMS], expected[SUMS];
        const u256 *expected_x[SUMS];
        int count = 1 + (int)(check_random() % TERMS), indices[SUMS], lanes = 1 + round % 8;
        for (int i = 0; i < SUMS; i++) {
            int sum = make_sum(terms + i, SUMS, count, multiples);
            int is_wrong = check_random() % 4 == 0;
            expected[i] = sum != 0 && !is_wrong ? SM2_SUM_EQUAL : SM2_SUM_DIFFERENT;
            expected_x[i] = &x_of[sum == 0 ? 1 : is_wrong ? (sum == 1 ? 2 : sum - 1) : sum];
            verdicts[i] = SM2_SUM_UNDECIDED;
            indices[i] = SUMS - 1 - i;
        }
        sm2_sum_work work = {terms, count, SUMS, SUMS, expected_x, verdicts, NULL};
        for (int i = 0; i < SUMS; i++) {
            CHECK(sm2_sum_complete_portable_var(&work, i, form) == expected[i]);
            if (sm2_verify_best_backend() >= SM2_VERIFY_ADX) {
                CHECK(sm2_sum_complete_adx_var(&work, i, form) == expected[i]);
            }
        }
        if (form == SM2_TABLES_TIMES_2_260) {
            sm2_sum_complete_avx512_var(&work, indices, lanes);
            for (int i = 0; i < SUMS; i++) {
                CHECK(verdicts[indices[i]] == (i < lanes ? expected[indices[i]] : SM2_SUM_UNDECIDED));
            }
        }
    }
    free(multiples);
}

/*
 * s G + t d G for keys d, and scalars for which partial sums and points added are equal, opposite, or all of it
 * infinity.
 */
static void should_multiply_whatever_meets(sm2_verify_backend backend) {
    static const u256 zero, one = {{1, 0, 0, 0}};
    sm2_ge_affine *generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, backend);
    void *scratch = fixture_memory(SM2_MULTIPLY_SCRATCH_SIZE);
    for (int round = 0; round < 60; round++) {
        u256 s[16], t[16], d[16], sum[16], x[16];
        sm2_ge_affine points[16];
        uint8_t verdicts[16], expected[16];
        sm2_multiply_work work = {.generator = generator, .verdicts = verdicts, .scratch = scratch};
        work.form = sm2_verify_table_form(backend);
        for (int i = 0; i < 16; i++) {
            d[i] = (u256){{1 + check_random() % 40, 0, 0, 0}};
            t[i] = (u256){{1 + check_random() % 40, 0, 0, 0}};
            s[i] = (u256){{1 + check_random() % 1600, 0, 0, 0}};
            if (check_random() % 2) {
                check_random_below(&t[i], &sm2_ge_order);
                u256_add_mod(&t[i], &t[i], &one, &sm2_ge_order);
            }
            if (check_random() % 2) {
                u256_sub(&t[i], &sm2_ge_order, &t[i]);
            }
            check_mul_mod(&sum[i], &t[i], &d[i], &sm2_ge_order);
            if (check_random() % 2) {
                u256_sub(&s[i], &sm2_ge_order, &sum[i]);
                s[i].w[0] ^= check_random() % 3;
                s[i] = u256_is_zero(&s[i]) || !u256_is_less(&s[i], &sm2_ge_order) ? one : s[i];
            }
            t[i] = u256_is_zero(&t[i]) ? one : t[i];
            check_mul_mod(&sum[i], &t[i], &d[i], &sm2_ge_order);
            u256_add_mod(&sum[i], &sum[i], &s[i], &sm2_ge_order);
            sm2_ge_jacobian product;
            sm2_ge_affine affine;
            reference_multiply_add(&product, &d[i], &zero, &sm2_ge_generator);
            sm2_ge_to_affine_var(&points[i], &product, 1);
            expected[i] = u256_is_zero(&sum[i]) ? SM2_SUM_DIFFERENT : SM2_SUM_EQUAL;
            x[i] = one;
            if (expected[i] == SM2_SUM_EQUAL) {
                reference_multiply_add(&product, &sum[i], &zero, &sm2_ge_generator);
                sm2_ge_to_affine_var(&affine, &product, 1);
                sm2_fe_to_integer(&x[i], &affine.x);
                u256_reduce_once(&x[i], &x[i], &sm2_ge_order);
                if (check_random() % 8 == 0) {
                    x[i].w[0] ^= 1;
                    expected[i] = SM2_SUM_DIFFERENT;
                }
            }
            work.s[i] = &s[i];
            work.t[i] = &t[i];
            work.expected_x[i] = &x[i];
            work.point[i] = &points[i];
        }
        int count = 1 + round % 16;
        memset(verdicts, SM2_SUM_UNDECIDED, sizeof verdicts);
        switch (backend) {
            case SM2_VERIFY_PORTABLE:
                sm2_multiply_portable_var(&work, count);
                break;
            case SM2_VERIFY_ADX:
                sm2_multiply_adx_var(&work, count);
                break;
            case SM2_VERIFY_AVX512:
                sm2_multiply_complete_avx512_var(&work, count);
                break;
        }
        CHECK(memcmp(verdicts, expected, (size_t)count) == 0);
    }
    free(generator);
    free(scratch);
}

int main(void) {
    make_expected();
    should_sum_whatever_meets(SM2_TABLES_TIMES_2_256);
    if (sm2_verify_best_backend() == SM2_VERIFY_AVX512) {
        should_sum_whatever_meets(SM2_TABLES_TIMES_2_260);
    }
    for (sm2_verify_backend backend = SM2_VERIFY_PORTABLE; backend <= sm2_verify_best_backend(); backend++) {
        should_multiply_whatever_meets(backend);
    }
    return check_result();
}
