#include "secp256k1_group.h"

#include "cpu.h"

#define FE(name) secp256k1_fe_##name
#include "secp256k1_group_body.h"

const secp256k1_group secp256k1_group_portable = {
        build_table_var, terms_var, sum_var, sum_complete_var, multiply_var, multiply_add_var};

/* SEC 2, 2.4.1. */
const secp256k1_affine secp256k1_generator = {
        {{0x59F2815B16F81798, 0x029BFCDB2DCE28D9, 0x55A06295CE870B07, 0x79BE667EF9DCBBAC}},
        {{0x9C47D08FFB10D4B8, 0xFD17B448A6855419, 0x5DA4FBFC0E1108A8, 0x483ADA7726A3C465}},
};

const secp256k1_group *secp256k1_group_of(int number) {
#ifdef __x86_64__
    if (number == 1 && cpu_has_adx()) {
        return &secp256k1_group_adx;
    }
    if (number == 2 && cpu_has_adx() && cpu_has_avx512_ifma()) {
        return &secp256k1_group_avx512;
    }
#endif
    return number == 0 ? &secp256k1_group_portable : NULL;
}

const secp256k1_group *secp256k1_group_best(void) {
    int number = 2;
    while (secp256k1_group_of(number) == NULL) {
        number--;
    }
    return secp256k1_group_of(number);
}

int secp256k1_is_on_curve_var(const secp256k1_affine *a) {
    static const u256 seven = {{7, 0, 0, 0}};
    u256 left, right, difference;
    if (!u256_is_less(&a->x, &secp256k1_fe_p) || !u256_is_less(&a->y, &secp256k1_fe_p)) {
        return 0;
    }
    secp256k1_fe_sqr(&left, &a->y);
    secp256k1_fe_sqr(&right, &a->x);
    secp256k1_fe_mul(&right, &right, &a->x);
    secp256k1_fe_add(&right, &right, &seven);
    secp256k1_fe_sub(&difference, &left, &right);
    return (int)secp256k1_fe_is_zero(&difference);
}
