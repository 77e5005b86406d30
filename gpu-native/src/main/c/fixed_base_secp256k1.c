#include "cpu.h"
#include "secp256k1_base.h"
#include "secp256k1_fe.h"

#define FE(name) secp256k1_fe_##name
#define BASE(name) secp256k1_base_##name
#define secp256k1_base_order secp256k1_order
#define secp256k1_base_fe_inverse secp256k1_fe_inv

static const u256 secp256k1_base_one = {{1, 0, 0, 0}};
static const u256 secp256k1_base_a = {{0, 0, 0, 0}};
/* SEC 2, 2.4.1. */
static const fixed_base_entry secp256k1_base_generator = {
        {{0x59F2815B16F81798, 0x029BFCDB2DCE28D9, 0x55A06295CE870B07, 0x79BE667EF9DCBBAC}},
        {{0x9C47D08FFB10D4B8, 0xFD17B448A6855419, 0x5DA4FBFC0E1108A8, 0x483ADA7726A3C465}},
};

#include "fixed_base_multiply.h"
#include "fixed_base_table.h"

void secp256k1_base_multiply(fixed_base_point *r, const u256 *k) {
    if (cpu_has_adx()) {
        secp256k1_base_multiply_adx(r, k);
    } else {
        multiply(r, k);
    }
}

void secp256k1_base_affine(u256 *x, u256 *y, const fixed_base_point *point, const u256 *z_inverse) {
    u256 zz, t;
    secp256k1_fe_sqr(&zz, z_inverse);
    secp256k1_fe_mul(&t, &point->x, &zz);
    secp256k1_fe_normalize(x, &t);
    secp256k1_fe_mul(&zz, &zz, z_inverse);
    secp256k1_fe_mul(&t, &point->y, &zz);
    secp256k1_fe_normalize(y, &t);
}
