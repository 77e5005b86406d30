/* The field of secp256k1 against schoolbook arithmetic on integers. */
#include "secp256k1_fe.h"

#include "check.h"

/* Any form of an element: half of the time one of the few numbers from p to 2^256 - 1, or close to their ends. */
static void random_element(u256 *r) {
    static const u256 most = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    check_random_below(r, &most);
    if (check_random() % 4 == 0) {
        u256 small = {{check_random() % (2 * SECP256K1_FE_C), 0, 0, 0}};
        u256_sub(r, &most, &small);
    }
}

static int is_same(const u256 *element, const u256 *integer) {
    u256 normal;
    secp256k1_fe_normalize(&normal, element);
    return (int)(u256_is_equal(&normal, integer) & u256_is_less(&normal, &secp256k1_fe_p));
}

static void should_agree_with_integers(void) {
    const u256 *p = &secp256k1_fe_p;
    for (int round = 0; round < 3000; round++) {
        u256 x, y, a, b, expected, result;
        random_element(&x);
        random_element(&y);
        secp256k1_fe_normalize(&a, &x);
        secp256k1_fe_normalize(&b, &y);

        secp256k1_fe_mul(&result, &x, &y);
        check_mul_mod(&expected, &a, &b, p);
        CHECK(is_same(&result, &expected));

        secp256k1_fe_sqr(&result, &x);
        check_mul_mod(&expected, &a, &a, p);
        CHECK(is_same(&result, &expected));

        secp256k1_fe_add(&result, &x, &y);
        u256_add_mod(&expected, &a, &b, p);
        CHECK(is_same(&result, &expected));

        secp256k1_fe_sub(&result, &x, &y);
        u256_sub_mod(&expected, &a, &b, p);
        CHECK(is_same(&result, &expected));

        secp256k1_fe_neg(&result, &x);
        secp256k1_fe_add(&result, &result, &x);
        CHECK(secp256k1_fe_is_zero(&result));
    }
}

static void should_invert(void) {
    static const u256 one = {{1, 0, 0, 0}};
    for (int round = 0; round < 300; round++) {
        u256 x, inverse, product;
        random_element(&x);
        if (!secp256k1_fe_is_zero(&x)) {
            secp256k1_fe_inv(&inverse, &x);
            secp256k1_fe_mul(&product, &inverse, &x);
            CHECK(is_same(&product, &one));
        }
    }
    u256 inverse;
    secp256k1_fe_inv(&inverse, &secp256k1_fe_p);
    CHECK(u256_is_zero(&inverse));
}

static void should_find_roots_of_squares_only(void) {
    int root_count = 0;
    for (int round = 0; round < 200; round++) {
        u256 x, square, root, opposite, again;
        random_element(&x);
        secp256k1_fe_sqr(&square, &x);
        CHECK(secp256k1_fe_sqrt(&root, &square));
        secp256k1_fe_sub(&again, &root, &x);
        secp256k1_fe_add(&opposite, &root, &x);
        CHECK(secp256k1_fe_is_zero(&again) | secp256k1_fe_is_zero(&opposite));
        /* -1 is no square, as p = 3 mod 4. */
        secp256k1_fe_neg(&opposite, &square);
        CHECK(secp256k1_fe_is_zero(&square) | (secp256k1_fe_sqrt(&root, &opposite) ^ 1));
        root_count += (int)secp256k1_fe_sqrt(&root, &x);
    }
    CHECK(root_count > 60 && root_count < 140);
}

int main(void) {
    should_agree_with_integers();
    should_invert();
    should_find_roots_of_squares_only();
    return check_result();
}
