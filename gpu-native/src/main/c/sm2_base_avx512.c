#include "sm2_base_avx512.h"

#include "scalar.h"
#include "secrets.h"
#include "sm2_base.h"
#include "sm2_fe8.h"
#include "wipe.h"

#define GROUPS_MAX (SM2_BASE_AVX512_COUNT_MAX / SM2_BASE_AVX512_LANES)
/* Words of a point: four limbs of 64 bits a coordinate. */
#define POINT_WORDS 8

/* Word w of entry i of window j is words[j][w][i], coordinates times 2^260. */
static _Alignas(64) uint64_t words[FIXED_BASE_WINDOWS][POINT_WORDS][FIXED_BASE_ENTRIES];

typedef struct {
    fe8 x, y, z;
} jacobian8;

static void to_52_bit_form(u256 *r, const u256 *a) {
    *r = *a;
    for (int i = 0; i < 4; i++) {
        sm2_fe_add(r, r, r);
    }
}

void sm2_base_avx512_prepare(void) {
    for (int j = 0; j < FIXED_BASE_WINDOWS; j++) {
        for (int i = 0; i < FIXED_BASE_ENTRIES; i++) {
            u256 x, y;
            to_52_bit_form(&x, &sm2_base_table[j][i].x);
            to_52_bit_form(&y, &sm2_base_table[j][i].y);
            for (int limb = 0; limb < 4; limb++) {
                words[j][limb][i] = x.w[limb];
                words[j][4 + limb][i] = y.w[limb];
            }
        }
    }
}

/*
 * Entry index[l] of a window in lane l, its opposite in the lanes of negative. All four registers of a word take part,
 * whatever the index.
 */
static inline ge8_affine look_up(uint64_t window[POINT_WORDS][FIXED_BASE_ENTRIES], v8 index, __mmask8 negative) {
    const __mmask8 upper = _mm512_test_epi64_mask(index, v8_of(16));
    v8 chosen[POINT_WORDS];
    for (int w = 0; w < POINT_WORDS; w++) {
        v8 low = _mm512_permutex2var_epi64(_mm512_load_si512(window[w]), index, _mm512_load_si512(window[w] + 8));
        v8 high =
                _mm512_permutex2var_epi64(_mm512_load_si512(window[w] + 16), index, _mm512_load_si512(window[w] + 24));
        chosen[w] = _mm512_mask_blend_epi64(upper, low, high);
    }
    ge8_affine point = {
            fe8_from_words(chosen[0], chosen[1], chosen[2], chosen[3]),
            fe8_from_words(chosen[4], chosen[5], chosen[6], chosen[7]),
    };
    point.y = sm2_fe8_neg_lanes(point.y, negative);
    return point;
}

/*
 * sum += point, as add_mixed of fixed_base_multiply.h. Bounds in multiples of p: x and y are narrow, z below 2; then h
 * and slope are below 5.1, hh and slope^2 below 2.7, hhh below 1.9, v below 1.2, and what is narrowed lies between 1.5
 * and 9.
 */
static inline void add_mixed(jacobian8 *sum, const ge8_affine *point) {
    fe8 zz = sm2_fe8_sqr_loose(sum->z);
    fe8 h = sm2_fe8_sub_loose(sm2_fe8_mul(point->x, zz), sum->x);
    fe8 slope = sm2_fe8_sub_loose(sm2_fe8_mul(point->y, sm2_fe8_mul_loose(zz, sum->z)), sum->y);
    sum->z = sm2_fe8_mul(sum->z, h);
    fe8 hh = sm2_fe8_sqr_loose(h);
    fe8 hhh = sm2_fe8_mul(hh, h);
    fe8 v = sm2_fe8_mul(hh, sum->x);
    fe8 x = fe8_raw_sub(fe8_raw_sub(sm2_fe8_sqr(slope), hhh), fe8_raw_add(v, v));
    sum->x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 6));
    fe8 t = sm2_fe8_mul(slope, sm2_fe8_sub_loose(v, sum->x));
    fe8 y = fe8_raw_sub(t, sm2_fe8_mul(sum->y, hhh));
    sum->y = sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 3));
}

/* Biased scalars of fixed_base.h, one a lane; the sign of an even scalar does not matter to x. */
static void bias(v8 biased[5], const u256 *k) {
    _Alignas(64) uint64_t lanes[4][SM2_BASE_AVX512_LANES];
    for (int lane = 0; lane < SM2_BASE_AVX512_LANES; lane++) {
        u256 odd, opposite;
        u256_sub(&opposite, &sm2_order.n.m, &k[lane]);
        u256_select(&odd, u64_mask((k[lane].w[0] & 1) ^ 1), &opposite, &k[lane]);
        for (int i = 0; i < 4; i++) {
            lanes[i][lane] = odd.w[i] >> 1 | (i < 3 ? odd.w[i + 1] << 63 : 0);
        }
        wipe(&odd, sizeof odd);
        wipe(&opposite, sizeof opposite);
    }
    for (int i = 0; i < 4; i++) {
        biased[i] = _mm512_load_si512(lanes[i]);
    }
    biased[4] = v8_of((uint64_t)1 << (FIXED_BASE_BITS * FIXED_BASE_WINDOWS - 1 - 256));
    wipe(lanes, sizeof lanes);
}

static void multiply(jacobian8 *r, const u256 *k) {
    v8 biased[5];
    bias(biased, k);
    for (int j = 0; j < FIXED_BASE_WINDOWS; j++) {
        int bit = FIXED_BASE_BITS * j;
        v8 window = _mm512_srli_epi64(biased[bit / 64], (unsigned)(bit % 64));
        if (bit % 64 > 64 - FIXED_BASE_BITS) {
            window = _mm512_or_si512(window, _mm512_slli_epi64(biased[bit / 64 + 1], (unsigned)(64 - bit % 64)));
        }
        __mmask8 negative = _mm512_testn_epi64_mask(window, v8_of(FIXED_BASE_ENTRIES));
        v8 index = _mm512_and_si512(
                _mm512_mask_xor_epi64(window, negative, window, v8_of(UINT64_MAX)), v8_of(FIXED_BASE_ENTRIES - 1));
        ge8_affine point = look_up(words[j], index, negative);
        if (j == 0) {
            r->x = point.x;
            r->y = point.y;
            r->z = fe8_of(sm2_fe8_one);
        } else {
            add_mixed(r, &point);
        }
    }
    wipe(biased, sizeof biased);
}

/* Writes one lane of a trimmed value below 2 p, reduced; constant time. */
static void reduced_lane(u256 *r, const fe8 *a, int lane) {
    u256 value, reduced;
    uint64_t high = fe8_lane(&value, a, lane);
    uint64_t borrow = u256_sub(&reduced, &value, &sm2_fe_p);
    u256_select(r, u64_mask(borrow & (high ^ 1)), &value, &reduced);
}

/*
 * r = 1 / a in every lane, for trimmed a below 2 p, through one constant-time inversion; r is below 1.1 p, loose.
 * Returns 0 when a lane is 0.
 *
 * a = z 2^260 is 16 z to the portable field, whose inverse is the integer 2^252 / z; times 2^268 / 2^260 that is 2^260
 * / z.
 */
static uint64_t invert(fe8 *r, const fe8 *a) {
    /* python3 -c 'p=2**256-2**224-2**96+2**64-1; print(hex(2**268%p))' */
    static const uint64_t power_268[5] = {
            0x0000000001000, 0xFFFFFFF000000, 0x000000000000F, 0x0000000000000, 0x0000010000000};
    u256 lanes[8], products[8], product = sm2_fe_one, inverse, own;
    _Alignas(64) uint64_t limbs[4][8];
    for (int lane = 0; lane < 8; lane++) {
        reduced_lane(&lanes[lane], a, lane);
        products[lane] = product;
        sm2_fe_mul(&product, &product, &lanes[lane]);
    }
    sm2_base_fe_inverse(&inverse, &product);
    for (int lane = 7; lane >= 0; lane--) {
        sm2_fe_mul(&own, &inverse, &products[lane]);
        sm2_fe_mul(&inverse, &inverse, &lanes[lane]);
        for (int i = 0; i < 4; i++) {
            limbs[i][lane] = own.w[i];
        }
    }
    fe8 inverses = fe8_from_words(_mm512_load_si512(limbs[0]), _mm512_load_si512(limbs[1]), _mm512_load_si512(limbs[2]),
            _mm512_load_si512(limbs[3]));
    *r = sm2_fe8_mul_loose(inverses, fe8_of(power_268));
    uint64_t is_there = u256_is_zero(&product) ^ 1;
    wipe(lanes, sizeof lanes);
    wipe(products, sizeof products);
    wipe(&inverse, sizeof inverse);
    wipe(&own, sizeof own);
    wipe(limbs, sizeof limbs);
    return is_there;
}

/* x = the first coordinates of a group's points as integers, from the inverses of their z. */
static void affine_x(u256 *x, const jacobian8 *point, fe8 inverse) {
    static const uint64_t plain_one[5] = {1, 0, 0, 0, 0};
    fe8 t = sm2_fe8_mul_loose(point->x, sm2_fe8_sqr_loose(inverse));
    t = sm2_fe8_mul(t, fe8_of(plain_one));
    for (int lane = 0; lane < SM2_BASE_AVX512_LANES; lane++) {
        reduced_lane(&x[lane], &t, lane);
    }
}

int sm2_base_avx512_multiply(u256 *x, const u256 *k, int count) {
    const int groups = count / SM2_BASE_AVX512_LANES;
    jacobian8 points[GROUPS_MAX];
    fe8 products[GROUPS_MAX], inverse;
    for (int g = 0; g < groups; g++) {
        multiply(&points[g], k + g * SM2_BASE_AVX512_LANES);
        products[g] = g == 0 ? points[0].z : sm2_fe8_mul(products[g - 1], points[g].z);
    }
    uint64_t is_there = invert(&inverse, &products[groups - 1]);
    SECRET_IS_PUBLIC(&is_there, sizeof is_there);
    for (int g = groups - 1; g >= 0; g--) {
        fe8 own = g == 0 ? inverse : sm2_fe8_mul_loose(inverse, products[g - 1]);
        inverse = sm2_fe8_mul_loose(inverse, points[g].z);
        affine_x(x + g * SM2_BASE_AVX512_LANES, &points[g], own);
    }
    wipe(points, sizeof points);
    wipe(products, sizeof products);
    wipe(&inverse, sizeof inverse);
    return (int)is_there;
}
