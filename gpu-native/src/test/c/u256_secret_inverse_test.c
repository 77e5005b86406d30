/* Constant-time inverses modulo the four primes that occur. */
#include "u256_secret_inverse.h"

#include "check.h"

static u256_secret_modulus modulus(const char *hex) {
    u256_secret_modulus modulus;
    check_from_hex(&modulus.m, hex);
    uint64_t inverse = 1;
    for (int i = 0; i < 6; i++) {
        inverse *= 2 - modulus.m.w[0] * inverse;
    }
    modulus.inverse62 = inverse & (UINT64_MAX >> 2);
    return modulus;
}

static void check_inverse(const u256 *a, const u256_secret_modulus *modulus) {
    static const u256 one = {{1, 0, 0, 0}};
    u256 inverse, product;
    u256_secret_inverse(&inverse, a, modulus);
    CHECK(u256_is_less(&inverse, &modulus->m));
    check_mul_mod(&product, a, &inverse, &modulus->m);
    CHECK(u256_is_equal(&product, &one));
}

static void should_invert(const char *prime) {
    u256_secret_modulus m = modulus(prime);
    for (int i = 0; i < 300; i++) {
        u256 a;
        check_random_below(&a, &m.m);
        if (!u256_is_zero(&a)) {
            check_inverse(&a, &m);
        }
    }
    for (int bit = 0; bit < 255; bit++) {
        u256 power = {{0}}, complement;
        power.w[bit / 64] = (uint64_t)1 << bit % 64;
        check_inverse(&power, &m);
        u256_sub(&complement, &m.m, &power);
        check_inverse(&complement, &m);
    }
    u256 zero = {{0}}, inverse;
    u256_secret_inverse(&inverse, &zero, &m);
    CHECK(u256_is_zero(&inverse));
}

int main(void) {
    should_invert("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff");
    should_invert("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123");
    should_invert("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
    should_invert("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
    return check_result();
}
