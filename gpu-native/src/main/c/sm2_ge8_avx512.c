#include "sm2_ge8.h"

/* 2^520 mod p in limbs of 52 bits: the product with it turns integers into elements. */
static const uint64_t to_element[5] = {0x0020000000300, 0xFFFFFFFF00000, 0x0000100000002, 0x0200000001000, 0x0000004000000};

/* p - n, a plain integer. */
static const u256 gap = {{0xAC440BF6C62ABEDC, 0x8DFC2093DE39FAD5, 0x0000000000000000, 0x0000000000000000}};

/* delta = z^2, gamma = y^2, beta = x gamma, alpha = 3 (x - delta)(x + delta); bounds in p beside. */
void sm2_ge8_double(sm2_ge8_jacobian *a) {
    sm2_fe8 delta = sm2_fe8_sqr(a->z);                                                        /* 1.2 */
    sm2_fe8 gamma = sm2_fe8_sqr_loose(a->y);                                                  /* 1.1 */
    sm2_fe8 beta = sm2_fe8_mul(a->x, gamma);                                                  /* 1.1 */
    sm2_fe8 sum = sm2_fe8_carry_loose(sm2_fe8_raw_add(a->x, delta));                          /* 2.2 */
    sm2_fe8 third = sm2_fe8_mul(sm2_fe8_sub_loose(a->x, delta), sum);                         /* 1.8 */
    sm2_fe8 alpha = sm2_fe8_carry_loose(sm2_fe8_raw_add(sm2_fe8_raw_add(third, third), third)); /* 5.4 */
    a->z = sm2_fe8_mul_loose(sm2_fe8_carry_loose(sm2_fe8_raw_add(a->y, a->y)), a->z);         /* 1.2 */
    sm2_fe8 x = sm2_fe8_raw_sub(sm2_fe8_sqr(alpha), sm2_fe8_raw_shift(beta, 3));              /* -8.8 .. 2.9 */
    a->x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 11));
    sm2_fe8 t = sm2_fe8_raw_sub(sm2_fe8_raw_shift(beta, 2), a->x);                            /* -1.1 .. 4.4 */
    t = sm2_fe8_carry_loose(sm2_fe8_raw_add_p(t, 3));                                         /* 7.4 */
    sm2_fe8 y = sm2_fe8_raw_sub(sm2_fe8_mul(alpha, t), sm2_fe8_raw_shift(sm2_fe8_sqr(gamma), 3)); /* -8.8 .. 3.5 */
    a->y = sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 11));
}

/* h = x2 z^2 - x, v = y2 z^3 - y. x2 narrow, y2 loose and below 2.1 p. Where h = 0, z becomes 0 and stays so. */
void sm2_ge8_add(sm2_ge8_jacobian *a, const sm2_fe8 *x2, const sm2_fe8 *y2) {
    sm2_fe8 zz = sm2_fe8_sqr_loose(a->z);                                                     /* 1.2 */
    sm2_fe8 h = sm2_fe8_sub_loose(sm2_fe8_mul(*x2, zz), a->x);                                /* 5.1 */
    sm2_fe8 y2_zzz = sm2_fe8_mul(*y2, sm2_fe8_mul_loose(a->z, zz));                           /* 1.2 */
    sm2_fe8 v = sm2_fe8_sub_loose(y2_zzz, a->y);                                              /* 5.2 */
    a->z = sm2_fe8_mul_loose(a->z, h);                                                        /* 1.5 */
    sm2_fe8 hh = sm2_fe8_sqr_loose(h);                                                        /* 2.7 */
    sm2_fe8 hhh = sm2_fe8_mul(h, hh);                                                         /* 1.9 */
    sm2_fe8 x_hh = sm2_fe8_mul(a->x, hh);                                                     /* 1.2 */
    sm2_fe8 x = sm2_fe8_raw_sub(sm2_fe8_raw_sub(sm2_fe8_sqr(v), hhh), sm2_fe8_raw_shift(x_hh, 1)); /* -4.3 .. 2.7 */
    x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 6));
    sm2_fe8 y = sm2_fe8_mul(v, sm2_fe8_sub_loose(x_hh, x));                                   /* 2.7 */
    y = sm2_fe8_raw_sub(y, sm2_fe8_mul(a->y, hhh));                                           /* -1.2 .. 2.7 */
    a->x = x;
    a->y = sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 3));
}

/* Lanes that are 0 mod p, for trimmed a below 16 p: multiplied by the integer 1 they are 0 or p. */
static __mmask8 zero_lanes(sm2_fe8 a) {
    const v8 zero = v8_of(0);
    const sm2_fe8 one = {{v8_of(1), zero, zero, zero, zero}};
    a = sm2_fe8_mul(a, one);
    __mmask8 is_zero = 0xFF, is_p = 0xFF;
    for (int i = 0; i < 5; i++) {
        is_zero &= _mm512_cmpeq_epi64_mask(a.l[i], zero);
        is_p &= _mm512_cmpeq_epi64_mask(a.l[i], v8_of(sm2_fe8_p[i]));
    }
    return is_zero | is_p;
}

/* x / z^2 = e where x - e z^2 = 0. */
void sm2_ge8_compare(uint8_t verdicts[8], const sm2_ge8_jacobian *a, const u256 *const expected_x[8]) {
    _Alignas(64) uint64_t words[4][8];
    unsigned undecided = zero_lanes(a->z);
    for (int lane = 0; lane < 8; lane++) {
        for (int i = 0; i < 4; i++) {
            words[i][lane] = expected_x[lane]->w[i];
        }
        undecided |= (unsigned)u256_is_less(expected_x[lane], &gap) << lane;
    }
    sm2_fe8 expected = sm2_fe8_from_words(
            _mm512_load_si512(words[0]), _mm512_load_si512(words[1]), _mm512_load_si512(words[2]),
            _mm512_load_si512(words[3]));
    expected = sm2_fe8_mul_loose(expected, sm2_fe8_of(to_element));
    expected = sm2_fe8_mul(expected, sm2_fe8_sqr_loose(a->z));
    unsigned equal = zero_lanes(sm2_fe8_carry(sm2_fe8_raw_add_p(sm2_fe8_raw_sub(a->x, expected), 4)));
    for (int lane = 0; lane < 8; lane++) {
        verdicts[lane] = undecided >> lane & 1 ? SM2_SUM_UNDECIDED
                         : equal >> lane & 1   ? SM2_SUM_EQUAL
                                               : SM2_SUM_DIFFERENT;
    }
}
