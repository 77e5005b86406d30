#include "sm2_ge8.h"

/* 2^520 mod p in limbs of 52 bits: the product with it turns integers into elements. */
static const uint64_t to_element[5] = {
        0x0020000000300, 0xFFFFFFFF00000, 0x0000100000002, 0x0200000001000, 0x0000004000000};

/* n as an element: n 2^260 mod p. */
static const uint64_t order_element[5] = {
        0xD89F215B19C32, 0xF926ECAD2C785, 0xBBF408ABD9208, 0xF6C21C6052A53, 0x015B19C29203D};

/* delta = z^2, gamma = y^2, beta = x gamma, alpha = 3 (x - delta)(x + delta); bounds in p beside. */
void sm2_ge8_double(sm2_ge8_jacobian *a) {
    sm2_fe8 delta = sm2_fe8_sqr(a->z);                                                          /* 1.2 */
    sm2_fe8 gamma = sm2_fe8_sqr_loose(a->y);                                                    /* 1.1 */
    sm2_fe8 beta = sm2_fe8_mul(a->x, gamma);                                                    /* 1.1 */
    sm2_fe8 sum = sm2_fe8_carry_loose(sm2_fe8_raw_add(a->x, delta));                            /* 2.2 */
    sm2_fe8 third = sm2_fe8_mul(sm2_fe8_sub_loose(a->x, delta), sum);                           /* 1.8 */
    sm2_fe8 alpha = sm2_fe8_carry_loose(sm2_fe8_raw_add(sm2_fe8_raw_add(third, third), third)); /* 5.4 */
    a->z = sm2_fe8_mul_loose(sm2_fe8_carry_loose(sm2_fe8_raw_add(a->y, a->y)), a->z);           /* 1.2 */
    sm2_fe8 x = sm2_fe8_raw_sub(sm2_fe8_sqr(alpha), sm2_fe8_raw_shift(beta, 3));                /* -8.8 .. 2.9 */
    a->x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 11));
    sm2_fe8 t = sm2_fe8_raw_sub(sm2_fe8_raw_shift(beta, 2), a->x);                                /* -1.1 .. 4.4 */
    t = sm2_fe8_carry_loose(sm2_fe8_raw_add_p(t, 3));                                             /* 7.4 */
    sm2_fe8 y = sm2_fe8_raw_sub(sm2_fe8_mul(alpha, t), sm2_fe8_raw_shift(sm2_fe8_sqr(gamma), 3)); /* -8.8 .. 3.5 */
    a->y = sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 11));
}

/* h = x2 z^2 - x, v = y2 z^3 - y. x2 narrow, y2 loose and below 2.1 p. Where h = 0, z becomes 0 and stays so. */
void sm2_ge8_add(sm2_ge8_jacobian *a, const sm2_fe8 *x2, const sm2_fe8 *y2) {
    sm2_fe8 zz = sm2_fe8_sqr_loose(a->z);                                                          /* 1.2 */
    sm2_fe8 h = sm2_fe8_sub_loose(sm2_fe8_mul(*x2, zz), a->x);                                     /* 5.1 */
    sm2_fe8 y2_zzz = sm2_fe8_mul(*y2, sm2_fe8_mul_loose(a->z, zz));                                /* 1.2 */
    sm2_fe8 v = sm2_fe8_sub_loose(y2_zzz, a->y);                                                   /* 5.2 */
    a->z = sm2_fe8_mul_loose(a->z, h);                                                             /* 1.5 */
    sm2_fe8 hh = sm2_fe8_sqr_loose(h);                                                             /* 2.7 */
    sm2_fe8 hhh = sm2_fe8_mul(h, hh);                                                              /* 1.9 */
    sm2_fe8 x_hh = sm2_fe8_mul(a->x, hh);                                                          /* 1.2 */
    sm2_fe8 x = sm2_fe8_raw_sub(sm2_fe8_raw_sub(sm2_fe8_sqr(v), hhh), sm2_fe8_raw_shift(x_hh, 1)); /* -4.3 .. 2.7 */
    x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 6));
    sm2_fe8 y = sm2_fe8_mul(v, sm2_fe8_sub_loose(x_hh, x)); /* 2.7 */
    y = sm2_fe8_raw_sub(y, sm2_fe8_mul(a->y, hhh));         /* -1.2 .. 2.7 */
    a->x = x;
    a->y = sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 3));
}

static void select_lanes(sm2_fe8 *r, __mmask8 lanes, const sm2_fe8 *a) {
    for (int i = 0; i < 5; i++) {
        r->l[i] = _mm512_mask_mov_epi64(r->l[i], lanes, a->l[i]);
    }
}

static void select_points(sm2_ge8_jacobian *r, __mmask8 lanes, const sm2_ge8_jacobian *a) {
    select_lanes(&r->x, lanes, &a->x);
    select_lanes(&r->y, lanes, &a->y);
    select_lanes(&r->z, lanes, &a->z);
}

/* Where h = 0, z became 0: the points are equal when v = 0, and opposite when not. */
void sm2_ge8_add_complete(sm2_ge8_jacobian *a, uint8_t *infinite, const sm2_fe8 *x2, const sm2_fe8 *y2) {
    const sm2_ge8_jacobian before = *a;
    sm2_ge8_add(a, x2, y2);
    __mmask8 met = sm2_fe8_zero_lanes(sm2_fe8_trim(a->z)) & (__mmask8) ~*infinite;
    if ((met | *infinite) == 0) {
        return;
    }
    sm2_fe8 zzz = sm2_fe8_mul_loose(before.z, sm2_fe8_sqr_loose(before.z));
    sm2_fe8 v = sm2_fe8_sub_loose(sm2_fe8_mul(*y2, zzz), before.y); /* 5.2 */
    sm2_ge8_jacobian doubled = before;
    sm2_ge8_double(&doubled);
    select_points(a, met, &doubled);
    const sm2_ge8_jacobian alone = {
            *x2, sm2_fe8_narrow(sm2_fe8_raw_add_p(sm2_fe8_trim(*y2), 2)), sm2_fe8_of(sm2_fe8_one)};
    select_points(a, *infinite, &alone);
    *infinite = (uint8_t)(met & ~sm2_fe8_zero_lanes(sm2_fe8_trim(v)));
}

/*
 * x / z^2 = e where x - e z^2 = 0; and x / z^2 = e + n, which is e mod n too where e + n is below p, where x - e z^2 -
 * n z^2 = 0.
 */
void sm2_ge8_compare(uint8_t verdicts[8], const sm2_ge8_jacobian *a, const u256 *const expected_x[8]) {
    _Alignas(64) uint64_t words[4][8];
    unsigned undecided = sm2_fe8_zero_lanes(a->z), has_second = 0;
    for (int lane = 0; lane < 8; lane++) {
        for (int i = 0; i < 4; i++) {
            words[i][lane] = expected_x[lane]->w[i];
        }
        has_second |= (unsigned)u256_is_less(expected_x[lane], &sm2_ge_order_gap) << lane;
    }
    sm2_fe8 expected = sm2_fe8_from_words(_mm512_load_si512(words[0]), _mm512_load_si512(words[1]),
            _mm512_load_si512(words[2]), _mm512_load_si512(words[3]));
    sm2_fe8 zz = sm2_fe8_sqr_loose(a->z);
    expected = sm2_fe8_mul_loose(expected, sm2_fe8_of(to_element));
    sm2_fe8 difference = sm2_fe8_raw_sub(a->x, sm2_fe8_mul(expected, zz));
    unsigned equal = sm2_fe8_zero_lanes(sm2_fe8_carry(sm2_fe8_raw_add_p(difference, 4)));
    if (has_second != 0) {
        difference = sm2_fe8_raw_sub(difference, sm2_fe8_mul(sm2_fe8_of(order_element), zz));
        equal |= has_second & sm2_fe8_zero_lanes(sm2_fe8_carry(sm2_fe8_raw_add_p(difference, 6)));
    }
    for (int lane = 0; lane < 8; lane++) {
        verdicts[lane] = undecided >> lane & 1 ? SM2_SUM_UNDECIDED
                       : equal >> lane & 1     ? SM2_SUM_EQUAL
                                               : SM2_SUM_DIFFERENT;
    }
}
