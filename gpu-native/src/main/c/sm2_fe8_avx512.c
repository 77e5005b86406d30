#include "sm2_fe8.h"
#include "u256_inverse.h"

static sm2_fe8 neighbours(sm2_fe8 a, int distance) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = distance == 1 ? _mm512_permutex_epi64(a.l[i], 0xB1)
               : distance == 2 ? _mm512_permutex_epi64(a.l[i], 0x4E)
                               : _mm512_shuffle_i64x2(a.l[i], a.l[i], 0x4E);
    }
    return a;
}

/*
 * In three steps every lane multiplies with its neighbour's product at distance 1, 2, 4; then all lanes hold the
 * product of all. The inverse of a lane is that product's inverse times the neighbours' products. With the integer
 * inverse of a 2^260 being a^-1 2^-260, multiplication by 2^780 brings it back into Montgomery form.
 */
sm2_fe8 sm2_fe8_inverse_var(sm2_fe8 a, int *has_zero) {
    sm2_fe8 near = neighbours(a, 1);
    sm2_fe8 two = sm2_fe8_mul_loose(a, near);
    sm2_fe8 next = neighbours(two, 2);
    sm2_fe8 four = sm2_fe8_mul_loose(two, next);
    sm2_fe8 far = neighbours(four, 4);
    sm2_fe8 others = sm2_fe8_mul_loose(sm2_fe8_mul_loose(near, next), far);
    sm2_fe8 all = sm2_fe8_mul(four, far);
    u256 product, inverse;
    sm2_fe8_reduced_lane(&product, &all, 0);
    *has_zero = (int)u256_is_zero(&product);
    u256_inverse_var(&inverse, &product, &sm2_fe_p);
    return sm2_fe8_mul_loose(others, sm2_fe8_mul_loose(sm2_fe8_broadcast(&inverse), sm2_fe8_of(sm2_fe8_r3)));
}
