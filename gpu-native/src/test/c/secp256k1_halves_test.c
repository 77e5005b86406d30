/* Halves of scalars: k1 + k2 lambda = k, odd and short, at the edges of rounding; and lambda P = (beta x, y). */
#include "secp256k1_fixture.h"
#include "secp256k1_halves.h"
#include "u256_inverse.h"

#define ROUNDS 20000
#define NEAR 40

static const u256 lambda = {{0xDF02967C1B23BD72, 0x122E22EA20816678, 0xA5261C028812645A, 0x5363AD4CC05C30E0}};

/* The bounds of secp256k1_halves.h: a1 + a2 and b2 - b1. */
static const u256 bounds[2] = {
        {{0x402DA1722FC9BAED, 0x4551231950B75FC4, 1, 0}},
        {{0x57C1108D9D44CFD8, 0x14CA50F7A8E2F3F6, 1, 0}},
};

static void check_halves(const u256 *k) {
    const u256 *n = &secp256k1_order.n.m;
    const u256 zero = {{0}};
    u256 sum = {{0}};
    secp256k1_halves halves;
    secp256k1_halves_of(&halves, k);
    for (int i = 0; i < 2; i++) {
        u256 term = halves.magnitude[i];
        CHECK(term.w[0] & 1);
        CHECK(!u256_is_less(&bounds[i], &term));
        CHECK(halves.is_negative[i] <= 1);
        if (i == 1) {
            check_mul_mod(&term, &term, &lambda, n);
        }
        if (halves.is_negative[i]) {
            u256_sub_mod(&term, &zero, &term, n);
        }
        u256_add_mod(&sum, &sum, &term, n);
    }
    CHECK(u256_is_equal(&sum, k));
}

/* k and its neighbours, mod n. */
static void check_near(const u256 *k) {
    const u256 *n = &secp256k1_order.n.m;
    const u256 one = {{1, 0, 0, 0}};
    u256 up = *k, down = *k;
    for (int i = 0; i < NEAR; i++) {
        check_halves(&up);
        check_halves(&down);
        u256_add_mod(&up, &up, &one, n);
        u256_sub_mod(&down, &down, &one, n);
    }
}

static void should_divide_scalars_at_the_edges(void) {
    const u256 *n = &secp256k1_order.n.m;
    u256 multiple = {{0}}, power = {{1, 0, 0, 0}};
    for (int i = 0; i < NEAR; i++) {
        u256 opposite;
        check_near(&multiple);
        u256_sub_mod(&opposite, &multiple, &lambda, n);
        check_near(&opposite);
        u256_add_mod(&multiple, &multiple, &lambda, n);
    }
    for (int bit = 0; bit < 256; bit++) {
        check_near(&power);
        u256_add_mod(&power, &power, &power, n);
    }
}

/* Where b2 k / n or -b1 k / n is just above or below an integer: b2 k or -b1 k is near 0 mod n. */
static void should_divide_scalars_where_quotients_change(void) {
    static const u256 divisors[2] = {
            {{0xE86C90E49284EB15, 0x3086D221A7D46BCD, 0, 0}}, {{0x6F547FA90ABFE4C3, 0xE4437ED6010E8828, 0, 0}}};
    const u256 *n = &secp256k1_order.n.m;
    const u256 zero = {{0}};
    for (int round = 0; round < 400; round++) {
        u256 inverse, small = {{check_random() % 50, 0, 0, 0}}, k;
        u256_inverse_var(&inverse, &divisors[round % 2], n);
        if (round % 4 < 2) {
            u256_sub_mod(&small, &zero, &small, n);
        }
        check_mul_mod(&k, &inverse, &small, n);
        check_halves(&k);
    }
}

static void should_multiply_by_lambda(void) {
    const u256 zero = {{0}};
    static secp256k1_fixture fixture;
    secp256k1_fixture_init(&fixture);
    for (int round = 0; round < 20; round++) {
        u256 d, product, x;
        secp256k1_affine p, expected;
        check_random_below(&d, &secp256k1_order.n.m);
        d.w[0] |= 1;
        check_mul_mod(&product, &d, &lambda, &secp256k1_order.n.m);
        CHECK(secp256k1_group_portable.multiply_add_var(&p, &d, &zero, &secp256k1_generator, fixture.generator));
        CHECK(secp256k1_group_portable.multiply_add_var(
                &expected, &product, &zero, &secp256k1_generator, fixture.generator));
        secp256k1_fe_mul(&x, &p.x, &secp256k1_beta);
        secp256k1_fe_normalize(&x, &x);
        CHECK(u256_is_equal(&x, &expected.x));
        CHECK(u256_is_equal(&p.y, &expected.y));
    }
    secp256k1_fixture_free(&fixture);
}

int main(void) {
    should_divide_scalars_at_the_edges();
    should_divide_scalars_where_quotients_change();
    for (int round = 0; round < ROUNDS; round++) {
        u256 k;
        check_random_below(&k, &secp256k1_order.n.m);
        check_halves(&k);
    }
    should_multiply_by_lambda();
    return check_result();
}
