/*
 * Multiplies by the table of fixed_base.h. A template: the including file defines FE(name), the field, and BASE(name),
 * the prefix of the table and of the curve's order and one. Formulas are those of any curve y^2 = x^3 + a x + b.
 */
#include "fixed_base.h"
#include "scalar.h"
#include "wipe.h"

#include <string.h>

typedef uint64_t coordinate_words __attribute__((vector_size(sizeof(u256))));

/*
 * point = entry index of a window; every entry is read. Vectors, so that the compiler of a file with AVX2 takes its
 * registers.
 */
static void look_up(fixed_base_entry *point, const fixed_base_window window, uint64_t index) {
    coordinate_words x = {0}, y = {0};
    for (uint64_t i = 0; i < FIXED_BASE_ENTRIES; i++) {
        uint64_t mask = u64_mask(((i ^ index) - 1) >> 63);
        coordinate_words entry_x, entry_y;
        memcpy(&entry_x, &window[i].x, sizeof entry_x);
        memcpy(&entry_y, &window[i].y, sizeof entry_y);
        x |= entry_x & mask;
        y |= entry_y & mask;
    }
    memcpy(&point->x, &x, sizeof x);
    memcpy(&point->y, &y, sizeof y);
}

/* sum += point: eight multiplications and three squarings. */
static void add_mixed(fixed_base_point *sum, const fixed_base_entry *point) {
    u256 zz, h, hh, hhh, v, slope, t;
    FE(sqr)(&zz, &sum->z);
    FE(mul)(&h, &point->x, &zz);
    FE(sub)(&h, &h, &sum->x);
    FE(mul)(&t, &zz, &sum->z);
    FE(mul)(&slope, &point->y, &t);
    FE(sub)(&slope, &slope, &sum->y);
    FE(mul)(&sum->z, &sum->z, &h);
    FE(sqr)(&hh, &h);
    FE(mul)(&hhh, &hh, &h);
    FE(mul)(&v, &hh, &sum->x);
    FE(sqr)(&sum->x, &slope);
    FE(sub)(&sum->x, &sum->x, &hhh);
    FE(sub)(&sum->x, &sum->x, &v);
    FE(sub)(&sum->x, &sum->x, &v);
    FE(sub)(&v, &v, &sum->x);
    FE(mul)(&v, &v, &slope);
    FE(mul)(&t, &sum->y, &hhh);
    FE(sub)(&sum->y, &v, &t);
}

static void negate_where(u256 *y, uint64_t mask) {
    u256 opposite;
    FE(neg)(&opposite, y);
    u256_select(y, mask, &opposite, y);
}

/* r = k G for 1 <= k < n. */
static void multiply(fixed_base_point *r, const u256 *k) {
    u256 odd, opposite;
    uint64_t is_even = u64_mask((k->w[0] & 1) ^ 1);
    u256_sub(&opposite, &BASE(order).n.m, k);
    u256_select(&odd, is_even, &opposite, k);
    uint64_t biased[5] = {
            odd.w[0] >> 1 | odd.w[1] << 63,
            odd.w[1] >> 1 | odd.w[2] << 63,
            odd.w[2] >> 1 | odd.w[3] << 63,
            odd.w[3] >> 1,
            (uint64_t)1 << (FIXED_BASE_BITS * FIXED_BASE_WINDOWS - 1 - 256),
    };
    fixed_base_entry point;
    for (int j = 0; j < FIXED_BASE_WINDOWS; j++) {
        int bit = FIXED_BASE_BITS * j;
        uint64_t window = biased[bit / 64] >> bit % 64;
        if (bit % 64 > 64 - FIXED_BASE_BITS) {
            window |= biased[bit / 64 + 1] << (64 - bit % 64);
        }
        window &= 2 * FIXED_BASE_ENTRIES - 1;
        /*
         * The upper half of the windows are positive digits, lowest first; the lower half negative ones, highest first.
         */
        uint64_t is_negative = u64_mask((window >> (FIXED_BASE_BITS - 1)) ^ 1);
        uint64_t index = (window ^ is_negative) & (FIXED_BASE_ENTRIES - 1);
        look_up(&point, BASE(table)[j], index);
        negate_where(&point.y, is_negative);
        if (j == 0) {
            r->x = point.x;
            r->y = point.y;
            r->z = BASE(one);
        } else {
            add_mixed(r, &point);
        }
    }
    negate_where(&r->y, is_even);
    wipe(&odd, sizeof odd);
    wipe(&opposite, sizeof opposite);
    wipe(biased, sizeof biased);
    wipe(&point, sizeof point);
}
