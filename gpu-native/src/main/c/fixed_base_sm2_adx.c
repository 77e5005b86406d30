/* Multiplication by the base point with the products of sm2_fe_adx.h. */
#include "sm2_base.h"
#include "sm2_fe_adx.h"

#define FE(name) sm2_fe_adx_##name
#define BASE(name) sm2_base_##name
#define sm2_base_order sm2_order
#define sm2_base_one sm2_fe_one

#include "fixed_base_multiply.h"

void sm2_base_multiply_adx(fixed_base_point *r, const u256 *k) {
    multiply(r, k);
}
