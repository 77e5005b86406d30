/* The field of secp256k1 in lanes against the field one at a time, with limbs and values at their edges. */
#include "instruction_checks.h"
#include "secp256k1_ge8.h"

#define ROUNDS 20000

/* Any value below 2^260: limbs of 52 bits, often all zeros or all ones. */
static fe8 any_value(void) {
    fe8 r;
    for (int i = 0; i < 5; i++) {
        _Alignas(64) uint64_t lanes[8];
        for (int lane = 0; lane < 8; lane++) {
            uint64_t choice = check_random() % 6;
            lanes[lane] = (choice == 0 ? 0 : choice == 1 ? ~(uint64_t)0 : check_random()) & FE8_MASK;
        }
        r.l[i] = _mm512_load_si512(lanes);
    }
    return r;
}

/* Multiples of p and their neighbours, in all lanes. */
static fe8 near_p(int multiple, int distance) {
    const fe8 one = fe8_of(secp256k1_fe8_one);
    fe8 r = secp256k1_fe8_raw_add_p(fe8_raw_sub(one, one), multiple);
    r.l[0] = v8_add(r.l[0], v8_of((uint64_t)(int64_t)distance));
    return fe8_carry(r);
}

/* The element of a lane, below p. */
static u256 value_of(fe8 a, int lane) {
    u256 r;
    a = fe8_trim(a);
    secp256k1_fe8_reduced_lane(&r, &a, lane);
    return r;
}

/* Sets bits above the limbs, which a multiplication must not read. */
static fe8 loosened(fe8 a) {
    for (int i = 0; i < 4; i++) {
        a.l[i] = _mm512_or_si512(a.l[i], v8_of(check_random() << 52));
    }
    return a;
}

static void check_narrow(fe8 a) {
    for (int i = 0; i < 4; i++) {
        CHECK(_mm512_cmpgt_epu64_mask(a.l[i], v8_of(FE8_MASK)) == 0);
    }
    /* 2.1 p is below 2.2 2^256. */
    CHECK(_mm512_cmpgt_epu64_mask(_mm512_mullo_epi64(a.l[4], v8_of(10)), v8_of((uint64_t)22 << 48)) == 0);
}

/* Checks 3 p - a, for what narrow gave; returns whether a is above 2 p. */
static int check_opposite(fe8 a) {
    int is_above = 0;
    const fe8 negated = secp256k1_ge8_negate_y(a, 0xFF), kept = secp256k1_ge8_negate_y(a, 0);
    /* A negative limb 4 is a large one here. */
    CHECK(_mm512_cmpgt_epu64_mask(negated.l[4], v8_of((uint64_t)3 << 48)) == 0);
    for (int lane = 0; lane < 8; lane++) {
        u256 expected, r, low, twice_p;
        r = value_of(kept, lane);
        expected = value_of(a, lane);
        CHECK(u256_is_equal(&r, &expected));
        secp256k1_fe_neg(&expected, &expected);
        secp256k1_fe_normalize(&expected, &expected);
        r = value_of(negated, lane);
        CHECK(u256_is_equal(&r, &expected));
        uint64_t high = fe8_lane(&low, &a, lane);
        uint64_t twice_high = u256_add(&twice_p, &secp256k1_fe_p, &secp256k1_fe_p);
        is_above |= high > twice_high || (high == twice_high && u256_is_less(&twice_p, &low));
    }
    return is_above;
}

static void check_pair(fe8 a, fe8 b) {
    fe8 product = secp256k1_fe8_mul_loose(loosened(a), loosened(b)), square = secp256k1_fe8_sqr_loose(loosened(a));
    fe8 small = secp256k1_fe8_mul(b, fe8_of(secp256k1_fe8_one));
    fe8 difference = secp256k1_fe8_sub_loose(secp256k1_fe8_mul(a, a), small);
    fe8 narrowed = secp256k1_fe8_narrow(fe8_raw_sub(secp256k1_fe8_raw_add_p(a, 3), small));
    __mmask8 zeros = secp256k1_fe8_zero_lanes(a);
    check_narrow(fe8_trim(product));
    check_narrow(fe8_trim(square));
    check_narrow(narrowed);
    check_opposite(narrowed);
    for (int lane = 0; lane < 8; lane++) {
        u256 x = value_of(a, lane), y = value_of(b, lane), expected, r;
        secp256k1_fe_mul(&expected, &x, &y);
        secp256k1_fe_normalize(&expected, &expected);
        r = value_of(product, lane);
        CHECK(u256_is_equal(&r, &expected));
        secp256k1_fe_sqr(&expected, &x);
        secp256k1_fe_normalize(&expected, &expected);
        r = value_of(square, lane);
        CHECK(u256_is_equal(&r, &expected));
        secp256k1_fe_sub(&expected, &expected, &y);
        secp256k1_fe_normalize(&expected, &expected);
        r = value_of(difference, lane);
        CHECK(u256_is_equal(&r, &expected));
        secp256k1_fe_sub(&expected, &x, &y);
        secp256k1_fe_normalize(&expected, &expected);
        r = value_of(narrowed, lane);
        CHECK(u256_is_equal(&r, &expected));
        CHECK((zeros >> lane & 1) == (int)u256_is_zero(&x));
    }
}

/* k 2^256 - d with a limb 4 that says k and a limb below that is negative. */
static void check_narrow_below(int k, int d, int limb) {
    u256 expected = {{0}}, two_256 = {{SECP256K1_FE8_C, 0, 0, 0}}, term = {{0}};
    fe8 a = fe8_of(secp256k1_fe8_one);
    a.l[0] = v8_of(0);
    a.l[4] = v8_of((uint64_t)k << 48);
    a.l[limb] = v8_sub(a.l[limb], v8_of((uint64_t)d));
    term.w[52 * limb / 64] = (uint64_t)d << 52 * limb % 64;
    for (int i = 0; i < k; i++) {
        secp256k1_fe_add(&expected, &expected, &two_256);
    }
    secp256k1_fe_sub(&expected, &expected, &term);
    secp256k1_fe_normalize(&expected, &expected);
    a = secp256k1_fe8_narrow(a);
    check_narrow(a);
    u256 r = value_of(a, 3);
    CHECK(u256_is_equal(&r, &expected));
}

/*
 * The most that narrow gives: bits 208..255 are ones, and the limbs below are ones and have carries up to 2^53 on top.
 */
static int check_opposite_of_most(int k, int carry_bits) {
    fe8 a = fe8_of(secp256k1_fe8_one);
    for (int i = 0; i < 4; i++) {
        a.l[i] = v8_of(((uint64_t)1 << (52 + carry_bits)) - 1);
    }
    a.l[4] = v8_of(((uint64_t)k << 48) - 1);
    a = secp256k1_fe8_narrow(a);
    check_narrow(a);
    return check_opposite(a);
}

int secp256k1_fe8_avx512_checks(void) {
    for (int round = 0; round < ROUNDS; round++) {
        check_pair(any_value(), any_value());
    }
    for (int i = 0; i <= 15; i++) {
        for (int j = 0; j <= 15; j++) {
            for (int distance = i == 0 || j == 0 ? 0 : -2; distance <= 2; distance++) {
                check_pair(near_p(i, distance), near_p(j, -distance * (j != 0)));
            }
        }
    }
    for (int k = 1; k <= 20; k++) {
        for (int limb = 0; limb < 4; limb++) {
            check_narrow_below(k, 1, limb);
            check_narrow_below(k, 1000, limb);
        }
        for (int carry_bits = 0; carry_bits <= 5; carry_bits++) {
            CHECK(check_opposite_of_most(k, carry_bits));
        }
    }
    return check_result();
}
