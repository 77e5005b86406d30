/* The portable field against schoolbook arithmetic on integers. */
#include "check.h"
#include "sm2_fe.h"

static void should_read_and_write_bytes(void) {
    uint8_t bytes[32], written[32];
    for (int i = 0; i < 32; i++) {
        bytes[i] = (uint8_t)(7 * i + 1);
    }
    u256 a;
    u256_from_bytes(&a, bytes);
    u256_to_bytes(written, &a);
    CHECK(a.w[3] >> 56 == 1 && (a.w[0] & 0xFF) == 7 * 31 + 1);
    CHECK(memcmp(bytes, written, 32) == 0);
}

static void should_agree_with_integers(void) {
    for (int round = 0; round < 3000; round++) {
        u256 a, b, expected, x, y, result;
        check_random_below(&a, &sm2_fe_p);
        check_random_below(&b, &sm2_fe_p);
        sm2_fe_from_integer(&x, &a);
        sm2_fe_from_integer(&y, &b);
        sm2_fe_to_integer(&result, &x);
        CHECK(u256_is_equal(&result, &a));

        sm2_fe_mul(&result, &x, &y);
        sm2_fe_to_integer(&result, &result);
        check_mul_mod(&expected, &a, &b, &sm2_fe_p);
        CHECK(u256_is_equal(&result, &expected));

        sm2_fe_sqr(&result, &x);
        sm2_fe_to_integer(&result, &result);
        check_mul_mod(&expected, &a, &a, &sm2_fe_p);
        CHECK(u256_is_equal(&result, &expected));

        sm2_fe_add(&result, &x, &y);
        sm2_fe_sub(&result, &result, &y);
        CHECK(u256_is_equal(&result, &x));
        sm2_fe_neg(&result, &x);
        sm2_fe_add(&result, &result, &x);
        CHECK(u256_is_zero(&result));
    }
}

/* Elements themselves at the edges, not only integers: every limb pattern below p may occur inside. */
static void should_stay_reduced(void) {
    for (int round = 0; round < 20000; round++) {
        u256 x, y, product, square;
        check_random_below(&x, &sm2_fe_p);
        check_random_below(&y, &sm2_fe_p);
        sm2_fe_mul(&product, &x, &y);
        CHECK(u256_is_less(&product, &sm2_fe_p));
        sm2_fe_sqr(&square, &x);
        sm2_fe_mul(&product, &x, &x);
        CHECK(u256_is_equal(&square, &product));
    }
}

static void should_invert(void) {
    for (int round = 0; round < 300; round++) {
        u256 x, inverse, product;
        check_random_below(&x, &sm2_fe_p);
        if (u256_is_zero(&x)) {
            continue;
        }
        sm2_fe_inv(&inverse, &x);
        sm2_fe_mul(&product, &inverse, &x);
        CHECK(u256_is_equal(&product, &sm2_fe_one));
        sm2_fe_inv_var(&product, &x);
        CHECK(u256_is_equal(&product, &inverse));
    }
    u256 zero = {{0}}, inverse;
    sm2_fe_inv(&inverse, &zero);
    CHECK(u256_is_zero(&inverse));
    sm2_fe_inv_var(&inverse, &zero);
    CHECK(u256_is_zero(&inverse));
}

static void should_hold_edges(void) {
    u256 most, result, one = {{1, 0, 0, 0}}, p_minus_1;
    u256_sub(&p_minus_1, &sm2_fe_p, &one);
    for (int i = 0; i < 4; i++) {
        most.w[i] = ~(uint64_t)0;
    }
    sm2_fe_from_integer(&result, &sm2_fe_p);
    CHECK(u256_is_zero(&result));
    sm2_fe_from_integer(&result, &one);
    CHECK(u256_is_equal(&result, &sm2_fe_one));
    sm2_fe_from_integer(&result, &most);
    sm2_fe_to_integer(&result, &result);
    u256_sub(&most, &most, &sm2_fe_p);
    CHECK(u256_is_equal(&result, &most));
    sm2_fe_from_integer(&result, &p_minus_1);
    sm2_fe_sqr(&result, &result);
    CHECK(u256_is_equal(&result, &sm2_fe_one));
}

int main(void) {
    should_read_and_write_bytes();
    should_agree_with_integers();
    should_stay_reduced();
    should_invert();
    should_hold_edges();
    return check_result();
}
