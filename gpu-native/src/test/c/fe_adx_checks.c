/* The products with MULX and ADX against the portable ones, of both fields. */
#include "instruction_checks.h"
#include "secp256k1_fe_adx.h"
#include "sm2_fe_adx.h"

static void should_multiply_like_portable_code(void) {
    static const u256 most = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    for (int round = 0; round < 50000; round++) {
        u256 a, b, result, expected;
        check_random_below(&a, &most);
        check_random_below(&b, &most);
        secp256k1_fe_adx_mul(&result, &a, &b);
        secp256k1_fe_mul(&expected, &a, &b);
        CHECK(u256_is_equal(&result, &expected));
        secp256k1_fe_adx_sqr(&result, &a);
        secp256k1_fe_sqr(&expected, &a);
        CHECK(u256_is_equal(&result, &expected));

        check_random_below(&a, &sm2_fe_p);
        check_random_below(&b, &sm2_fe_p);
        sm2_fe_adx_mul(&result, &a, &b);
        sm2_fe_mul(&expected, &a, &b);
        CHECK(u256_is_equal(&result, &expected));
        sm2_fe_adx_sqr(&result, &a);
        sm2_fe_sqr(&expected, &a);
        CHECK(u256_is_equal(&result, &expected));
    }
}

int fe_adx_checks(void) {
    should_multiply_like_portable_code();
    return check_result();
}
