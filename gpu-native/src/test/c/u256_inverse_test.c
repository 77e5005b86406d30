/* Inverses against their definition, for the four moduli in use. */
#include "check.h"
#include "u256_inverse.h"

static const char *const moduli[] = {
        "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff", /* SM2 p */
        "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", /* SM2 n */
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", /* secp256k1 p */
        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", /* secp256k1 n */
};

int main(void) {
    const u256 zero = {{0}}, one = {{1, 0, 0, 0}};
    for (unsigned i = 0; i < sizeof moduli / sizeof *moduli; i++) {
        u256 m, a, inverse, product;
        check_from_hex(&m, moduli[i]);
        for (int round = 0; round < 3000; round++) {
            check_random_below(&a, &m);
            if (round < 20) {
                a = (u256){{(uint64_t)round, 0, 0, 0}};
            } else if (round < 40) {
                a = (u256){{(uint64_t)round - 19, 0, 0, 0}};
                u256_sub(&a, &m, &a);
            } else if (round < 290) {
                a = zero;
                a.w[(round - 40) / 64] = (uint64_t)1 << (round - 40) % 64;
            }
            u256_inverse_var(&inverse, &a, &m);
            CHECK(u256_is_less(&inverse, &m));
            check_mul_mod(&product, &a, &inverse, &m);
            CHECK(u256_is_equal(&product, u256_is_zero(&a) ? &zero : &one));
        }
    }
    return check_result();
}
