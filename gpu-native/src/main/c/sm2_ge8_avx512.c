#include "sm2_ge8.h"

#include "ge8_group_body.h"

/* 2^520 mod p in limbs of 52 bits: the product with it turns integers into elements. */
static const uint64_t to_element[5] = {
        0x0020000000300, 0xFFFFFFFF00000, 0x0000100000002, 0x0200000001000, 0x0000004000000};

/* n as an element: n 2^260 mod p. */
static const uint64_t order_element[5] = {
        0xD89F215B19C32, 0xF926ECAD2C785, 0xBBF408ABD9208, 0xF6C21C6052A53, 0x015B19C29203D};

/* delta = z^2, gamma = y^2, beta = x gamma, alpha = 3 (x - delta)(x + delta); bounds in p beside. */
void sm2_ge8_double(ge8_jacobian *a) {
    fe8 delta = sm2_fe8_sqr(a->z);                                              /* 1.2 */
    fe8 gamma = sm2_fe8_sqr_loose(a->y);                                        /* 1.1 */
    fe8 beta = sm2_fe8_mul(a->x, gamma);                                        /* 1.1 */
    fe8 sum = fe8_carry_loose(fe8_raw_add(a->x, delta));                        /* 2.2 */
    fe8 third = sm2_fe8_mul(sm2_fe8_sub_loose(a->x, delta), sum);               /* 1.8 */
    fe8 alpha = fe8_carry_loose(fe8_raw_add(fe8_raw_add(third, third), third)); /* 5.4 */
    a->z = sm2_fe8_mul_loose(fe8_carry_loose(fe8_raw_add(a->y, a->y)), a->z);   /* 1.2 */
    fe8 x = fe8_raw_sub(sm2_fe8_sqr(alpha), fe8_raw_shift(beta, 3));            /* -8.8 .. 2.9 */
    a->x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 11));
    fe8 t = fe8_raw_sub(fe8_raw_shift(beta, 2), a->x);                                /* -1.1 .. 4.4 */
    t = fe8_carry_loose(sm2_fe8_raw_add_p(t, 3));                                     /* 7.4 */
    fe8 y = fe8_raw_sub(sm2_fe8_mul(alpha, t), fe8_raw_shift(sm2_fe8_sqr(gamma), 3)); /* -8.8 .. 3.5 */
    a->y = sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 11));
}

fe8 sm2_ge8_tangent(fe8 x) {
    fe8 t = sm2_fe8_sub_loose(sm2_fe8_sqr(x), fe8_of(sm2_fe8_one)); /* 5.1, and the curve's A is -3 */
    t = fe8_trim(t);
    return fe8_carry_loose(fe8_raw_add(fe8_raw_add(t, t), t));
}

/*
 * x / z^2 = e where x - e z^2 = 0; and x / z^2 = e + n, which is e mod n too where e + n is below p, where x - e z^2 -
 * n z^2 = 0.
 */
void sm2_ge8_compare(uint8_t verdicts[8], const ge8_jacobian *a, const u256 *const expected_x[8]) {
    _Alignas(64) uint64_t words[4][8];
    unsigned undecided = sm2_fe8_zero_lanes(a->z), has_second = 0;
    for (int lane = 0; lane < 8; lane++) {
        for (int i = 0; i < 4; i++) {
            words[i][lane] = expected_x[lane]->w[i];
        }
        has_second |= (unsigned)u256_is_less(expected_x[lane], &sm2_ge_order_gap) << lane;
    }
    fe8 expected = fe8_from_words(_mm512_load_si512(words[0]), _mm512_load_si512(words[1]), _mm512_load_si512(words[2]),
            _mm512_load_si512(words[3]));
    fe8 zz = sm2_fe8_sqr_loose(a->z);
    expected = sm2_fe8_mul_loose(expected, fe8_of(to_element));
    fe8 difference = fe8_raw_sub(a->x, sm2_fe8_mul(expected, zz));
    unsigned equal = sm2_fe8_zero_lanes(fe8_carry(sm2_fe8_raw_add_p(difference, 4)));
    if (has_second != 0) {
        difference = fe8_raw_sub(difference, sm2_fe8_mul(fe8_of(order_element), zz));
        equal |= has_second & sm2_fe8_zero_lanes(fe8_carry(sm2_fe8_raw_add_p(difference, 6)));
    }
    for (int lane = 0; lane < 8; lane++) {
        verdicts[lane] = undecided >> lane & 1 ? SM2_SUM_UNDECIDED
                       : equal >> lane & 1     ? SM2_SUM_EQUAL
                                               : SM2_SUM_DIFFERENT;
    }
}
