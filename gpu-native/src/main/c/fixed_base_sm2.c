#include "cpu.h"
#include "sm2_base.h"
#include "sm2_fe.h"

#define FE(name) sm2_fe_##name
#define BASE(name) sm2_base_##name
#define sm2_base_order sm2_order
#define sm2_base_one sm2_fe_one

/* -3, and the generator of GB/T 32918.5, in Montgomery form: python3 -c 'print(hex(x * 2**256 % p))'. */
static const u256 sm2_base_a = {{0xFFFFFFFFFFFFFFFC, 0xFFFFFFFC00000003, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFBFFFFFFFF}};
static const fixed_base_entry sm2_base_generator = {
        {{0x61328990F418029E, 0x3E7981EDDCA6C050, 0xD6A1ED99AC24C3C3, 0x91167A5EE1C13B05}},
        {{0xC1354E593C2D0DDD, 0xC1F5E5788D3295FA, 0x8D4CFB066E2A48F8, 0x63CD65D481D735BD}},
};

#include "fixed_base_multiply.h"
#include "fixed_base_table.h"

void sm2_base_multiply(fixed_base_point *r, const u256 *k) {
    if (cpu_has_adx()) {
        sm2_base_multiply_adx(r, k);
    } else {
        multiply(r, k);
    }
}

/* The inverse of a R is a^-1 R^-1; multiplied by R^3 in Montgomery's way it is a^-1 R. */
void sm2_base_fe_inverse(u256 *r, const u256 *a) {
    static const u256_secret_modulus p = {
            .m = {{0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF00000000, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFEFFFFFFFF}},
            .inverse62 = 0x3FFFFFFFFFFFFFFF,
    };
    static const u256 r3 = {{0x0000001200000016, 0x0000000EFFFFFFF8, 0x0000000A0000000C, 0x0000001B00000009}};
    u256 inverse;
    u256_secret_inverse(&inverse, a, &p);
    sm2_fe_mul(r, &inverse, &r3);
}

void sm2_base_affine_x(u256 *x, const fixed_base_point *point, const u256 *z_inverse) {
    u256 t;
    sm2_fe_sqr(&t, z_inverse);
    sm2_fe_mul(&t, &t, &point->x);
    sm2_fe_to_integer(x, &t);
}
