/* The group of secp256k1 with the products of secp256k1_fe_adx.h. */
#include "secp256k1_fe_adx.h"

#define FE(name) secp256k1_fe_adx_##name
#include "secp256k1_group_body.h"

const secp256k1_group secp256k1_group_adx = {
        build_table_var, terms_var, sum_var, sum_complete_var, multiply_var, multiply_add_var};
