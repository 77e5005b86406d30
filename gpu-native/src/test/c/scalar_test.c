/* Arithmetic modulo the two orders against schoolbook arithmetic. */
#include "scalar.h"

#include "check.h"

static void should_agree_with_integers(const scalar_order *order) {
    const u256 *n = &order->n.m;
    static const u256 most = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}}, one = {{1, 0, 0, 0}};
    for (int round = 0; round < 2000; round++) {
        u256 a, b, wide, reduced, result, expected;
        check_random_below(&a, n);
        check_random_below(&b, n);
        scalar_to_montgomery(&result, &a, order);
        scalar_mul(&result, &result, &b, order);
        check_mul_mod(&expected, &a, &b, n);
        CHECK(u256_is_equal(&result, &expected));

        /* The first factor may be any number of 256 bits. */
        check_random_below(&wide, &most);
        scalar_reduce(&reduced, &wide, order);
        CHECK(u256_is_less(&reduced, n));
        scalar_to_montgomery(&b, &b, order);
        scalar_mul(&result, &wide, &b, order);
        scalar_mul(&expected, &reduced, &b, order);
        CHECK(u256_is_equal(&result, &expected));

        if (!u256_is_zero(&a)) {
            scalar_inverse(&result, &a, order);
            check_mul_mod(&result, &result, &a, n);
            CHECK(u256_is_equal(&result, &one));
        }
    }
}

static void should_know_the_range(const scalar_order *order) {
    u256 zero = {{0}}, one = {{1, 0, 0, 0}}, last;
    u256_sub(&last, &order->n.m, &one);
    CHECK(!scalar_is_valid(&zero, order));
    CHECK(scalar_is_valid(&one, order));
    CHECK(scalar_is_valid(&last, order));
    CHECK(!scalar_is_valid(&order->n.m, order));
}

int main(void) {
    should_agree_with_integers(&sm2_order);
    should_agree_with_integers(&secp256k1_order);
    should_know_the_range(&sm2_order);
    should_know_the_range(&secp256k1_order);
    return check_result();
}
