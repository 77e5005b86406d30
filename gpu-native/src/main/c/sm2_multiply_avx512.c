#include "sm2_multiply.h"

#include "sm2_ge8.h"
#include "signed_windows.h"

#define WINDOW_BITS 5
#define WINDOWS ((256 + WINDOW_BITS - 1) / WINDOW_BITS)
#define ENTRIES (1 << (WINDOW_BITS - 1))
#define GENERATOR_WINDOWS ((256 + SM2_TABLES_GENERATOR_BITS - 1) / SM2_TABLES_GENERATOR_BITS)
#define GROUPS_MAX (SM2_MULTIPLY_COUNT / 8)

/*
 * What eight multiplications have besides their inputs. Entry i of the table is (2 i + 1) P; even is 2^c P while it is
 * made.
 */
typedef struct {
    ge8_affine table[ENTRIES], even;
    fe8 differences[ENTRIES], products[ENTRIES];
    ge8_jacobian sum;
    uint8_t infinite;
    uint64_t entries[WINDOWS][8];
    uint8_t signs[WINDOWS];
    uint64_t generator_points[GENERATOR_WINDOWS][8];
    uint8_t generator_signs[GENERATOR_WINDOWS];
} group;

_Static_assert(sizeof(group) * GROUPS_MAX <= SM2_MULTIPLY_SCRATCH_SIZE, "scratch memory is too small");

/* 2^264 mod p: the product with it turns a 2^256 into a 2^260. */
static const uint64_t to_52_bit_form[5] = {
        0x0000000000100, 0xFFFFFFFF00000, 0x0000000000000, 0x0000000000000, 0x0000001000000};

/* x = lambda^2 - x1 - x2, y = lambda (x1 - x) - y1, narrow. lambda is loose and below 5 p; x1, x2 and y1 narrow. */
FE8_INLINE ge8_affine on_line(fe8 lambda, fe8 x1, fe8 y1, fe8 x2) {
    fe8 x = fe8_raw_sub(fe8_raw_sub(sm2_fe8_sqr(lambda), x1), x2);
    x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 4));
    fe8 y = fe8_raw_sub(sm2_fe8_mul(lambda, sm2_fe8_sub_loose(x1, x)), y1);
    return (ge8_affine){x, sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 3))};
}

/* Returns 2 a, given 1 / (2 a.y): lambda = 3 (x^2 - 1) / (2 y), as a = -3. */
FE8_INLINE ge8_affine twice(const ge8_affine *a, fe8 inverse) {
    fe8 t = sm2_fe8_sub_loose(sm2_fe8_sqr(a->x), fe8_of(sm2_fe8_one));
    t = sm2_fe8_mul(t, inverse);
    fe8 lambda = fe8_carry_loose(fe8_raw_add(fe8_raw_add(t, t), t));
    return on_line(lambda, a->x, a->y, a->x);
}

/*
 * Given 1, 3, ... 2 k - 1 times P and even = 2 k P, extends the table to 4 k - 1 and makes even 4 k P; for k = 0, makes
 * even 2 P. All of it, in all groups, shares one inversion. Nothing inverted can be 0: a point of prime order n has no
 * equal or opposite small multiples, and no y = 0.
 */
static __attribute__((noinline)) void extend_table(group *groups, int group_count, int k) {
    fe8 product[GROUPS_MAX], inverse[GROUPS_MAX], doubling[GROUPS_MAX];
    for (int g = 0; g < GROUPS_MAX; g++) {
        product[g] = fe8_of(sm2_fe8_one);
    }
    for (int i = 0; i <= k; i++) {
        for (int g = 0; g < group_count; g++) {
            group *a = &groups[g];
            const ge8_affine *doubled = k == 0 ? &a->table[0] : &a->even;
            a->differences[i] = i < k ? sm2_fe8_sub_loose(a->even.x, a->table[i].x)
                                      : fe8_carry_loose(fe8_raw_add(doubled->y, doubled->y));
            a->products[i] = product[g];
            product[g] = sm2_fe8_mul_loose(product[g], a->differences[i]);
        }
    }
    int has_zero;
    fe8 both = sm2_fe8_inverse_var(sm2_fe8_mul_loose(product[0], product[1]), &has_zero);
    inverse[0] = sm2_fe8_mul_loose(both, product[1]);
    inverse[1] = sm2_fe8_mul_loose(both, product[0]);
    for (int i = k; i >= 0; i--) {
        for (int g = 0; g < group_count; g++) {
            group *a = &groups[g];
            fe8 own = sm2_fe8_mul_loose(inverse[g], a->products[i]);
            inverse[g] = sm2_fe8_mul_loose(inverse[g], a->differences[i]);
            if (i == k) {
                doubling[g] = own;
            } else {
                fe8 lambda = sm2_fe8_mul_loose(sm2_fe8_sub_loose(a->even.y, a->table[i].y), own);
                a->table[k + i] = on_line(lambda, a->table[i].x, a->table[i].y, a->even.x);
            }
        }
    }
    for (int g = 0; g < group_count; g++) {
        group *a = &groups[g];
        a->even = twice(k == 0 ? &a->table[0] : &a->even, doubling[g]);
    }
}

static void load_points(group *a, const sm2_ge_affine *const points[8]) {
    const fe8 form = fe8_of(to_52_bit_form);
    _Alignas(64) sm2_ge_affine copies[8];
    uint64_t aligned[8];
    for (int lane = 0; lane < 8; lane++) {
        copies[lane] = *points[lane];
        aligned[lane] = (uint64_t)(uintptr_t)&copies[lane];
    }
    ge8_affine p = ge8_load(aligned);
    /* A product is below 1.1 p; 2 p more makes it wide enough to be narrowed. */
    a->table[0].x = sm2_fe8_narrow(sm2_fe8_raw_add_p(sm2_fe8_mul(p.x, form), 2));
    a->table[0].y = sm2_fe8_narrow(sm2_fe8_raw_add_p(sm2_fe8_mul(p.y, form), 2));
}

/* Recodes t into table entries and signs, and s into entries of G's table. */
static void recode(group *a, const sm2_multiply_work *work, int first) {
    signed_windows windows;
    for (int lane = 0; lane < 8; lane++) {
        signed_windows_of(&windows, work->t[first + lane], &sm2_ge_order, WINDOW_BITS);
        for (int j = 0; j < WINDOWS; j++) {
            a->signs[j] = lane == 0 ? 0 : a->signs[j];
            int digit = signed_windows_digit(&windows, j, WINDOW_BITS);
            a->entries[j][lane] = (uint64_t)(digit < 0 ? -digit : digit) >> 1;
            a->signs[j] |= (uint8_t)((digit < 0) << lane);
        }
        signed_windows_of(&windows, work->s[first + lane], &sm2_ge_order, SM2_TABLES_GENERATOR_BITS);
        for (int j = 0; j < GENERATOR_WINDOWS; j++) {
            a->generator_signs[j] = lane == 0 ? 0 : a->generator_signs[j];
            int digit = signed_windows_digit(&windows, j, SM2_TABLES_GENERATOR_BITS);
            size_t entry = ((size_t)j << (SM2_TABLES_GENERATOR_BITS - 1)) + ((size_t)(digit < 0 ? -digit : digit) >> 1);
            a->generator_points[j][lane] = (uint64_t)(uintptr_t)&work->generator[entry];
            a->generator_signs[j] |= (uint8_t)((digit < 0) << lane);
        }
    }
}

/* Every lane takes its own entry of the group's table. */
FE8_INLINE ge8_affine entry_of(const group *a, int window) {
    const v8 lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    v8 entry_words = v8_of(sizeof(ge8_affine) / 8);
    v8 index = v8_add(_mm512_mullo_epi64(_mm512_loadu_si512(a->entries[window]), entry_words), lanes);
    const long long *words = (const long long *)a->table;
    ge8_affine r;
    for (int i = 0; i < 5; i++) {
        r.x.l[i] = _mm512_i64gather_epi64(index, words + 8 * i, 8);
        r.y.l[i] = _mm512_i64gather_epi64(index, words + 8 * (5 + i), 8);
    }
    r.y = sm2_ge8_negate_y(r.y, a->signs[window]);
    return r;
}

/* How a point is added to a group's sum. */
typedef void (*adder)(group *a, const ge8_affine *b);

static void add_quickly(group *a, const ge8_affine *b) {
    sm2_ge8_add(&a->sum, &b->x, &b->y);
}

static void add_completely(group *a, const ge8_affine *b) {
    sm2_ge8_add_complete(&a->sum, &a->infinite, &b->x, &b->y);
}

static void add_digits(group *groups, int group_count, int window, adder add) {
    for (int g = 0; g < group_count; g++) {
        ge8_affine entry = entry_of(&groups[g], window);
        add(&groups[g], &entry);
    }
}

/*
 * t P but for its lowest digit, by five doublings and an addition a window. The highest digits come first and need no
 * addition. Of the partial sums only the last, with the lowest digit, can leave the range below n, where it may meet
 * that digit: for t = 6 it is -3 P, and so is the digit. That digit is therefore left to be added to another sum.
 */
static void multiply_points(group *groups, int group_count, adder add) {
    for (int g = 0; g < group_count; g++) {
        ge8_affine first = entry_of(&groups[g], WINDOWS - 1);
        fe8 y = sm2_fe8_narrow(sm2_fe8_raw_add_p(fe8_trim(first.y), 2));
        groups[g].sum = (ge8_jacobian){first.x, y, fe8_of(sm2_fe8_one)};
    }
    for (int j = WINDOWS - 2; j >= 0; j--) {
        for (int i = 0; i < WINDOW_BITS; i++) {
            for (int g = 0; g < group_count; g++) {
                sm2_ge8_double(&groups[g].sum);
            }
        }
        if (j > 0) {
            add_digits(groups, group_count, j, add);
        }
    }
}

static void add_generator(group *groups, int group_count, adder add) {
    for (int j = 0; j < GENERATOR_WINDOWS; j++) {
        for (int g = 0; g < group_count; g++) {
            ge8_affine point = ge8_load(groups[g].generator_points[j]);
            point.y = sm2_ge8_negate_y(point.y, groups[g].generator_signs[j]);
            add(&groups[g], &point);
        }
    }
}

static inline __attribute__((always_inline)) void multiply(const sm2_multiply_work *work, int count, adder add) {
    group *groups = work->scratch;
    const int group_count = count > 8 ? 2 : 1;
    for (int g = 0; g < group_count; g++) {
        groups[g].infinite = 0;
        load_points(&groups[g], work->point + 8 * g);
        recode(&groups[g], work, 8 * g);
    }
    extend_table(groups, group_count, 0);
    for (int k = 1; k < ENTRIES; k *= 2) {
        extend_table(groups, group_count, k);
    }
    multiply_points(groups, group_count, add);
    add_generator(groups, group_count, add);
    add_digits(groups, group_count, 0, add);
    for (int g = 0; g < group_count; g++) {
        uint8_t *verdicts = work->verdicts + 8 * g;
        sm2_ge8_compare(verdicts, &groups[g].sum, work->expected_x + 8 * g);
        for (int lane = 0; lane < 8; lane++) {
            verdicts[lane] = groups[g].infinite >> lane & 1 ? SM2_SUM_DIFFERENT : verdicts[lane];
        }
    }
}

void sm2_multiply_avx512_var(const sm2_multiply_work *work, int count) {
    multiply(work, count, add_quickly);
}

void sm2_multiply_complete_avx512_var(const sm2_multiply_work *work, int count) {
    multiply(work, count, add_completely);
}
