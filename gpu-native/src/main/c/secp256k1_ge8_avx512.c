#include "secp256k1_ge8.h"

#include "ge8_group_body.h"

/* A = x^2, B = y^2, C = B^2, D = 4 x B, E = 3 A; x' = E^2 - 2 D, y' = E (D - x') - 8 C, z' = 2 y z; bounds in p. */
void secp256k1_ge8_double(ge8_jacobian *a) {
    fe8 aa = secp256k1_fe8_sqr(a->x);                                               /* 1.1 */
    fe8 e = fe8_carry_loose(fe8_raw_add(fe8_raw_add(aa, aa), aa));                  /* 3.3 */
    fe8 bb = secp256k1_fe8_sqr_loose(a->y);                                         /* 1.1 */
    fe8 x_bb = secp256k1_fe8_mul(a->x, bb);                                         /* 1.1 */
    a->z = secp256k1_fe8_mul_loose(fe8_carry_loose(fe8_raw_add(a->y, a->y)), a->z); /* 1.1 */
    fe8 x = fe8_raw_sub(secp256k1_fe8_sqr(e), fe8_raw_shift(x_bb, 3));              /* -8.8 .. 1.1 */
    a->x = secp256k1_fe8_narrow(secp256k1_fe8_raw_add_p(x, 11));
    fe8 t = fe8_raw_sub(fe8_raw_shift(x_bb, 2), a->x);                                     /* -2.1 .. 4.4 */
    t = fe8_carry_loose(secp256k1_fe8_raw_add_p(t, 3));                                    /* 7.4 */
    fe8 y = fe8_raw_sub(secp256k1_fe8_mul(e, t), fe8_raw_shift(secp256k1_fe8_sqr(bb), 3)); /* -8.8 .. 1.1 */
    a->y = secp256k1_fe8_narrow(secp256k1_fe8_raw_add_p(y, 11));
}

fe8 secp256k1_ge8_tangent(fe8 x) {
    fe8 t = secp256k1_fe8_sqr(x);
    return fe8_carry_loose(fe8_raw_add(fe8_raw_add(t, t), t)); /* 3.3, and the curve's A is 0 */
}
