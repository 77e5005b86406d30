/*
 * Products s G + t P in lanes of AVX-512, for points P without a table, groups of eight. A template over the curve: the
 * including file has included its ge8_group.h, and defines
 *
 *   MULTIPLY8_WINDOWS          windows of 5 bits in which a part of t is written
 *   MULTIPLY8_PARTS            1, or 2 where t = t1 + t2 lambda with lambda P = (beta x, y): FE8(beta)
 *   MULTIPLY8_GENERATOR_BITS   windows of G's table
 *
 * Every lane makes 16 odd multiples of its point, adds them up over doublings, and then adds the entries of G's table.
 */
#include "comb_terms.h"

#define MULTIPLY8_BITS 5
#define MULTIPLY8_ENTRIES (1 << (MULTIPLY8_BITS - 1))
#define MULTIPLY8_GENERATOR_WINDOWS ((256 + MULTIPLY8_GENERATOR_BITS - 1) / MULTIPLY8_GENERATOR_BITS)

/* Chains of products that an inversion is shared by, and groups whose doublings take turns. */
#define MULTIPLY8_CHAINS 2

/*
 * What eight products have besides their inputs. Entry i of the table is (2 i + 1) P; even is 2^c P while it is made.
 */
typedef struct {
    ge8_affine table[MULTIPLY8_ENTRIES], even;
    fe8 differences[MULTIPLY8_ENTRIES / 2 + 1], products[MULTIPLY8_ENTRIES / 2 + 1];
    ge8_jacobian sum;
    uint8_t infinite;
    uint64_t entries[MULTIPLY8_PARTS][MULTIPLY8_WINDOWS][8];
    uint8_t signs[MULTIPLY8_PARTS][MULTIPLY8_WINDOWS];
    uint64_t generator_terms[MULTIPLY8_GENERATOR_WINDOWS][8];
} multiply8_group;

/* x = lambda^2 - x1 - x2, y = lambda (x1 - x) - y1, narrow. lambda is loose and below 5 p; x1, x2 and y1 narrow. */
FE8_INLINE ge8_affine on_line(fe8 lambda, fe8 x1, fe8 y1, fe8 x2) {
    fe8 x = fe8_raw_sub(fe8_raw_sub(FE8(sqr)(lambda), x1), x2);
    x = FE8(narrow)(FE8(raw_add_p)(x, 6));
    fe8 y = fe8_raw_sub(FE8(mul)(lambda, FE8(sub_loose)(x1, x)), y1);
    return (ge8_affine){x, FE8(narrow)(FE8(raw_add_p)(y, 4))};
}

/* Returns 2 a, given 1 / (2 a.y): lambda = (3 x^2 + A) / (2 y). */
FE8_INLINE ge8_affine twice(const ge8_affine *a, fe8 inverse) {
    return on_line(FE8(mul_loose)(GE8(tangent)(a->x), inverse), a->x, a->y, a->x);
}

/*
 * Given 1, 3, ... 2 k - 1 times P and even = 2 k P, extends the table to 4 k - 1 and makes even 4 k P; for k = 0, makes
 * even 2 P. All of it, in all groups, shares one inversion. Nothing inverted can be 0: a point of prime order n has no
 * equal or opposite small multiples, and no y = 0.
 */
static __attribute__((noinline)) void extend_tables(multiply8_group *groups, int count, int k) {
    fe8 product[MULTIPLY8_CHAINS] = {fe8_of(FE8(one)), fe8_of(FE8(one))}, inverse[MULTIPLY8_CHAINS];
    for (int i = 0; i <= k; i++) {
        for (int g = 0; g < count; g++) {
            multiply8_group *a = &groups[g];
            fe8 *chain = &product[g % MULTIPLY8_CHAINS];
            const ge8_affine *doubled = k == 0 ? &a->table[0] : &a->even;
            a->differences[i] = i < k ? FE8(sub_loose)(a->even.x, a->table[i].x)
                                      : fe8_carry_loose(fe8_raw_add(doubled->y, doubled->y));
            a->products[i] = *chain;
            *chain = FE8(mul_loose)(*chain, a->differences[i]);
        }
    }
    int has_zero;
    fe8 both = FE8(inverse_var)(FE8(mul_loose)(product[0], product[1]), &has_zero);
    inverse[0] = FE8(mul_loose)(both, product[1]);
    inverse[1] = FE8(mul_loose)(both, product[0]);
    for (int i = k; i >= 0; i--) {
        for (int g = count - 1; g >= 0; g--) {
            multiply8_group *a = &groups[g];
            fe8 *chain = &inverse[g % MULTIPLY8_CHAINS];
            fe8 own = FE8(mul_loose)(*chain, a->products[i]);
            *chain = FE8(mul_loose)(*chain, a->differences[i]);
            if (i == k) {
                /* It takes the place of what it is the inverse of. */
                a->differences[k] = own;
            } else {
                fe8 lambda = FE8(mul_loose)(FE8(sub_loose)(a->even.y, a->table[i].y), own);
                a->table[k + i] = on_line(lambda, a->table[i].x, a->table[i].y, a->even.x);
            }
        }
    }
    for (int g = 0; g < count; g++) {
        multiply8_group *a = &groups[g];
        a->even = twice(k == 0 ? &a->table[0] : &a->even, a->differences[k]);
    }
}

/* Makes all tables from their first entries. */
static void make_tables(multiply8_group *groups, int count) {
    extend_tables(groups, count, 0);
    for (int k = 1; k < MULTIPLY8_ENTRIES; k *= 2) {
        extend_tables(groups, count, k);
    }
}

/* Reads eight points, whose coordinates are words, wherever they lie. */
FE8_INLINE ge8_affine load_anywhere(const void *const points[8]) {
    _Alignas(64) u256 copies[8][2];
    uint64_t aligned[8];
    for (int lane = 0; lane < 8; lane++) {
        memcpy(copies[lane], points[lane], sizeof copies[lane]);
        aligned[lane] = (uint64_t)(uintptr_t)copies[lane];
    }
    return ge8_load(aligned);
}

/* Puts a lane's digits of a part of t. */
static void put_digits(multiply8_group *a, int part, int lane, const signed_windows *windows) {
    for (int j = 0; j < MULTIPLY8_WINDOWS; j++) {
        int digit = signed_windows_digit(windows, j, MULTIPLY8_BITS);
        uint8_t *signs = &a->signs[part][j];
        *signs = (uint8_t)((lane == 0 ? 0 : *signs) | (digit < 0) << lane);
        a->entries[part][j][lane] = (uint64_t)(digit < 0 ? -digit : digit) >> 1;
    }
}

/* Every lane takes its own entry of the group's table; for the second part times lambda. */
FE8_INLINE ge8_affine entry_of(const multiply8_group *a, int part, int window) {
    const v8 lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    v8 entry_words = v8_of(sizeof(ge8_affine) / 8);
    v8 index = v8_add(_mm512_mullo_epi64(_mm512_loadu_si512(a->entries[part][window]), entry_words), lanes);
    const long long *words = (const long long *)a->table;
    ge8_affine r;
    for (int i = 0; i < 5; i++) {
        r.x.l[i] = _mm512_i64gather_epi64(index, words + 8 * i, 8);
        r.y.l[i] = _mm512_i64gather_epi64(index, words + 8 * (5 + i), 8);
    }
#if MULTIPLY8_PARTS == 2
    r.x = part == 0 ? r.x : FE8(mul)(r.x, fe8_of(FE8(beta)));
#endif
    r.y = GE8(negate_y)(r.y, a->signs[part][window]);
    return r;
}

FE8_INLINE void add_to_sum(multiply8_group *a, const ge8_affine *b, int is_complete) {
    if (is_complete) {
        GE8(add_complete)(&a->sum, &a->infinite, &b->x, &b->y);
    } else {
        GE8(add)(&a->sum, &b->x, &b->y);
    }
}

FE8_INLINE void add_digits(multiply8_group *groups, int count, int part, int window, int is_complete) {
    for (int g = 0; g < count; g++) {
        const ge8_affine entry = entry_of(&groups[g], part, window);
        add_to_sum(&groups[g], &entry, is_complete);
    }
}

FE8_INLINE void begin_sums(multiply8_group *groups, int count) {
    for (int g = 0; g < count; g++) {
        ge8_affine first = entry_of(&groups[g], 0, MULTIPLY8_WINDOWS - 1);
        fe8 y = FE8(narrow)(FE8(raw_add_p)(fe8_trim(first.y), 2));
        groups[g].sum = (ge8_jacobian){first.x, y, fe8_of(FE8(one))};
        groups[g].infinite = 0;
    }
}

/*
 * t P but for the lowest digits, by five doublings and an addition a part and window. Partial sums are multiples a + b
 * lambda with a and b too small to meet a digit, or its opposite, but for the last, with the lowest digits: for t = 6
 * of one part it is -3 P, and so is the digit. Those digits are therefore left to be added to another sum.
 */
FE8_INLINE void multiply_points(multiply8_group *groups, int count, int is_complete) {
    begin_sums(groups, count);
    for (int part = 1; part < MULTIPLY8_PARTS; part++) {
        add_digits(groups, count, part, MULTIPLY8_WINDOWS - 1, is_complete);
    }
    for (int j = MULTIPLY8_WINDOWS - 2; j >= 0; j--) {
        for (int i = 0; i < MULTIPLY8_BITS; i++) {
            for (int g = 0; g < count; g++) {
                GE8(double)(&groups[g].sum);
            }
        }
        for (int part = 0; part < MULTIPLY8_PARTS && j > 0; part++) {
            add_digits(groups, count, part, j, is_complete);
        }
    }
}

FE8_INLINE void add_generator(multiply8_group *groups, int count, int is_complete) {
    for (int j = 0; j < MULTIPLY8_GENERATOR_WINDOWS; j++) {
        for (int g = 0; g < count; g++) {
            const ge8_affine point = GE8(load_terms)(groups[g].generator_terms[j]);
            add_to_sum(&groups[g], &point, is_complete);
        }
    }
}

/*
 * The sums of count groups whose digits, terms of G and first entries of tables are there. What is complete costs a
 * tenth more, and infinite has the lanes whose sum is infinite; else z = 0 where two points have met.
 */
FE8_INLINE void multiply_groups(multiply8_group *groups, int count, int is_complete) {
    make_tables(groups, count);
    for (int first = 0; first < count; first += MULTIPLY8_CHAINS) {
        multiply8_group *pair = groups + first;
        const int own = count - first < MULTIPLY8_CHAINS ? count - first : MULTIPLY8_CHAINS;
        multiply_points(pair, own, is_complete);
        add_generator(pair, own, is_complete);
        for (int part = 0; part < MULTIPLY8_PARTS; part++) {
            add_digits(pair, own, part, 0, is_complete);
        }
    }
}
