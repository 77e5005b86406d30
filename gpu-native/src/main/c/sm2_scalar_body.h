/*
 * The bodies of sm2_sum.h and sm2_multiply.h for one point at a time, over 64-bit limbs. Included once for each way to
 * multiply, by files that define SM2_FE_MUL(r, a, b), SM2_FE_SQR(r, a), SM2_SUM_NAME, SM2_SUM_COMPLETE_NAME and
 * SM2_MULTIPLY_NAME.
 */
#include "sm2_multiply.h"
#include "signed_windows.h"

/* Window of a point without a table: 52 windows, 16 odd multiples. */
#define POINT_BITS 5
#define POINT_ENTRIES (1 << (POINT_BITS - 1))

/* Additions that go forward together. */
#define ABREAST 2

typedef struct {
    u256 difference, product;
} pending;

_Static_assert(sizeof(sm2_ge_affine) + sizeof(pending) <= 160, "scratch memory is too small");

static inline void read_term(sm2_ge_affine *point, uint64_t term) {
    *point = *(const sm2_ge_affine *)(uintptr_t)(term & ~(uint64_t)1);
    if (term & 1) {
        sm2_fe_neg(&point->y, &point->y);
    }
}

/*
 * a[i] += b[i] for i < count, with the inverses of b[i].x - a[i].x where products were. Each step is taken for all
 * before the next, because a multiplication's latency is twice its cost.
 */
static inline __attribute__((always_inline)) void finish_additions(
        sm2_ge_affine *a, const sm2_ge_affine *b, const pending *pendings, int count) {
    u256 lambda[ABREAST], x[ABREAST], t[ABREAST];
    for (int i = 0; i < count; i++) {
        sm2_fe_sub(&t[i], &b[i].y, &a[i].y);
        SM2_FE_MUL(&lambda[i], &pendings[i].product, &t[i]);
    }
    for (int i = 0; i < count; i++) {
        SM2_FE_SQR(&x[i], &lambda[i]);
        sm2_fe_sub(&x[i], &x[i], &a[i].x);
        sm2_fe_sub(&x[i], &x[i], &b[i].x);
    }
    for (int i = 0; i < count; i++) {
        sm2_fe_sub(&t[i], &a[i].x, &x[i]);
        SM2_FE_MUL(&t[i], &t[i], &lambda[i]);
        sm2_fe_sub(&a[i].y, &t[i], &a[i].y);
        a[i].x = x[i];
    }
}

/* a[q] += b[q] for q < count, where q mod work->count is the sum it belongs to. */
static void add_level(
        sm2_ge_affine *a, const sm2_ge_affine *b, int count, pending *pendings, const sm2_sum_work *work) {
    u256 product = sm2_fe_one, inverse;
    for (int q = 0; q < count; q++) {
        pending *p = &pendings[q];
        sm2_fe_sub(&p->difference, &b[q].x, &a[q].x);
        if (__builtin_expect(u256_is_zero(&p->difference) != 0, 0)) {
            p->difference = sm2_fe_one;
            work->verdicts[q % work->count] = SM2_SUM_UNDECIDED;
        }
        p->product = product;
        SM2_FE_MUL(&product, &product, &p->difference);
    }
    sm2_fe_inv_var(&inverse, &product);
    for (int q = count - 1; q >= 0; q--) {
        pending *p = &pendings[q];
        SM2_FE_MUL(&p->product, &inverse, &p->product);
        SM2_FE_MUL(&inverse, &inverse, &p->difference);
    }
    int q = 0;
    for (; q + ABREAST <= count; q += ABREAST) {
        finish_additions(a + q, b + q, pendings + q, ABREAST);
    }
    for (; q < count; q++) {
        finish_additions(a + q, b + q, pendings + q, 1);
    }
}

void SM2_SUM_NAME(const sm2_sum_work *work) {
    sm2_ge_affine *points = work->scratch;
    pending *pendings = (pending *)(points + work->term_count * work->count);
    for (int k = 0; k < work->term_count; k++) {
        for (int i = 0; i < work->count; i++) {
            read_term(&points[k * work->count + i], work->terms[k * work->stride + i]);
        }
    }
    for (int i = 0; i < work->count; i++) {
        work->verdicts[i] = SM2_SUM_DIFFERENT;
    }
    int left = work->term_count;
    while (left > 1) {
        int half = left / 2;
        add_level(points, points + (left - half) * work->count, half * work->count, pendings, work);
        left -= half;
    }
    for (int i = 0; i < work->count; i++) {
        u256 x;
        sm2_fe_to_integer(&x, &points[i].x);
        u256_reduce_once(&x, &x, &sm2_ge_order);
        if (work->verdicts[i] != SM2_SUM_UNDECIDED) {
            work->verdicts[i] = u256_is_equal(&x, work->expected_x[i]) ? SM2_SUM_EQUAL : SM2_SUM_DIFFERENT;
        }
    }
}

/* As sm2_ge_double; of infinity it is infinity. */
static void double_point(sm2_ge_jacobian *a) {
    u256 delta, gamma, beta, alpha, t, u;
    SM2_FE_SQR(&delta, &a->z);
    SM2_FE_SQR(&gamma, &a->y);
    SM2_FE_MUL(&beta, &a->x, &gamma);
    sm2_fe_sub(&t, &a->x, &delta);
    sm2_fe_add(&u, &a->x, &delta);
    SM2_FE_MUL(&t, &t, &u);
    sm2_fe_add(&alpha, &t, &t);
    sm2_fe_add(&alpha, &alpha, &t);
    sm2_fe_add(&t, &a->y, &a->y);
    SM2_FE_MUL(&a->z, &t, &a->z);
    sm2_fe_add(&beta, &beta, &beta);
    sm2_fe_add(&beta, &beta, &beta);
    SM2_FE_SQR(&t, &alpha);
    sm2_fe_sub(&t, &t, &beta);
    sm2_fe_sub(&a->x, &t, &beta);
    sm2_fe_sub(&t, &beta, &a->x);
    SM2_FE_MUL(&t, &alpha, &t);
    SM2_FE_SQR(&u, &gamma);
    sm2_fe_add(&u, &u, &u);
    sm2_fe_add(&u, &u, &u);
    sm2_fe_add(&u, &u, &u);
    sm2_fe_sub(&a->y, &t, &u);
}

/*
 * Coordinates in the form of code over limbs of 52 bits, times this, are those of this code: 2^260 2^252 / 2^256 =
 * 2^256.
 */
static const u256 from_52_bit_form = {{0, 0, 0, (uint64_t)1 << 60}};

static sm2_ge_affine to_own_form(const sm2_ge_affine *a, sm2_tables_form form) {
    sm2_ge_affine r = *a;
    if (form == SM2_TABLES_TIMES_2_260) {
        SM2_FE_MUL(&r.x, &r.x, &from_52_bit_form);
        SM2_FE_MUL(&r.y, &r.y, &from_52_bit_form);
    }
    return r;
}

/* a += b, for every a and b. */
static void add_point(sm2_ge_jacobian *a, const sm2_ge_affine *b) {
    if (u256_is_zero(&a->z)) {
        sm2_ge_from_affine(a, b);
        return;
    }
    u256 zz, h, v, hh, hhh, t, x;
    SM2_FE_SQR(&zz, &a->z);
    SM2_FE_MUL(&h, &b->x, &zz);
    sm2_fe_sub(&h, &h, &a->x);
    SM2_FE_MUL(&v, &b->y, &zz);
    SM2_FE_MUL(&v, &v, &a->z);
    sm2_fe_sub(&v, &v, &a->y);
    if (__builtin_expect(u256_is_zero(&h) != 0, 0) && u256_is_zero(&v)) {
        double_point(a);
        return;
    }
    /* With h = 0 and v not, the points are opposite, and z = 0 is the point at infinity. */
    SM2_FE_SQR(&hh, &h);
    SM2_FE_MUL(&hhh, &hh, &h);
    SM2_FE_MUL(&t, &a->x, &hh);
    SM2_FE_SQR(&x, &v);
    sm2_fe_sub(&x, &x, &hhh);
    sm2_fe_sub(&x, &x, &t);
    sm2_fe_sub(&x, &x, &t);
    sm2_fe_sub(&t, &t, &x);
    SM2_FE_MUL(&t, &t, &v);
    SM2_FE_MUL(&hhh, &hhh, &a->y);
    sm2_fe_sub(&a->y, &t, &hhh);
    SM2_FE_MUL(&a->z, &a->z, &h);
    a->x = x;
}

/* Whether the x of a sum is the expected one: x = e z^2 for one of the e that it may be. */
static int verdict_on(const sm2_ge_jacobian *sum, const u256 *expected_x) {
    if (u256_is_zero(&sum->z)) {
        return SM2_SUM_DIFFERENT;
    }
    u256 candidates[2], zz, x;
    int count = sm2_ge_candidates_of_x(candidates, expected_x);
    SM2_FE_SQR(&zz, &sum->z);
    for (int i = 0; i < count; i++) {
        sm2_fe_from_integer(&x, &candidates[i]);
        SM2_FE_MUL(&x, &x, &zz);
        if (u256_is_equal(&x, &sum->x)) {
            return SM2_SUM_EQUAL;
        }
    }
    return SM2_SUM_DIFFERENT;
}

int SM2_SUM_COMPLETE_NAME(const sm2_sum_work *work, int i, sm2_tables_form form) {
    static const sm2_ge_jacobian infinity;
    sm2_ge_jacobian sum = infinity;
    for (int k = 0; k < work->term_count; k++) {
        sm2_ge_affine point;
        read_term(&point, work->terms[k * work->stride + i]);
        point = to_own_form(&point, form);
        add_point(&sum, &point);
    }
    return verdict_on(&sum, work->expected_x[i]);
}

/* Adds digit times the point whose odd multiples the table has. */
static void add_digit(sm2_ge_jacobian *sum, const sm2_ge_affine *table, int digit, sm2_tables_form form) {
    sm2_ge_affine entry = to_own_form(&table[(digit < 0 ? -digit : digit) >> 1], form);
    if (digit < 0) {
        sm2_fe_neg(&entry.y, &entry.y);
    }
    add_point(sum, &entry);
}

/* table[i] = (2 i + 1) p. No small multiples of a point are equal or opposite. */
static void fill_table(sm2_ge_affine table[POINT_ENTRIES], const sm2_ge_affine *p) {
    sm2_ge_jacobian multiples[POINT_ENTRIES], twice;
    sm2_ge_affine twice_affine;
    sm2_ge_from_affine(&multiples[0], p);
    twice = multiples[0];
    double_point(&twice);
    sm2_ge_to_affine_var(&twice_affine, &twice, 1);
    for (int i = 1; i < POINT_ENTRIES; i++) {
        multiples[i] = multiples[i - 1];
        add_point(&multiples[i], &twice_affine);
    }
    sm2_ge_to_affine_var(table, multiples, POINT_ENTRIES);
}

static int verdict_of(const sm2_multiply_work *work, int i) {
    static const sm2_ge_jacobian infinity;
    sm2_ge_affine table[POINT_ENTRIES];
    sm2_ge_jacobian sum = infinity;
    signed_windows windows;
    fill_table(table, work->point[i]);
    signed_windows_of(&windows, work->t[i], &sm2_ge_order, POINT_BITS);
    const int count = signed_windows_count(POINT_BITS);
    for (int j = count - 1; j >= 0; j--) {
        for (int k = 0; k < POINT_BITS && j < count - 1; k++) {
            double_point(&sum);
        }
        add_digit(&sum, table, signed_windows_digit(&windows, j, POINT_BITS), SM2_TABLES_TIMES_2_256);
    }
    signed_windows_of(&windows, work->s[i], &sm2_ge_order, SM2_TABLES_GENERATOR_BITS);
    for (int j = 0; j < signed_windows_count(SM2_TABLES_GENERATOR_BITS); j++) {
        const sm2_ge_affine *window = work->generator + ((size_t)j << (SM2_TABLES_GENERATOR_BITS - 1));
        add_digit(&sum, window, signed_windows_digit(&windows, j, SM2_TABLES_GENERATOR_BITS), work->form);
    }
    return verdict_on(&sum, work->expected_x[i]);
}

void SM2_MULTIPLY_NAME(const sm2_multiply_work *work, int count) {
    for (int i = 0; i < count; i++) {
        work->verdicts[i] = (uint8_t)verdict_of(work, i);
    }
}
