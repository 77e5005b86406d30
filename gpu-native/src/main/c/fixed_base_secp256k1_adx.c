/* Multiplication by the base point with the products of secp256k1_fe_adx.h. */
#include "secp256k1_base.h"
#include "secp256k1_fe_adx.h"

#define FE(name) secp256k1_fe_adx_##name
#define BASE(name) secp256k1_base_##name
#define secp256k1_base_order secp256k1_order

static const u256 secp256k1_base_one = {{1, 0, 0, 0}};

#include "fixed_base_multiply.h"

void secp256k1_base_multiply_adx(fixed_base_point *r, const u256 *k) {
    multiply(r, k);
}
