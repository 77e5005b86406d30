/* The functions of a secp256k1_group. A template: the including file defines FE(name), the field. */
#include "comb_terms.h"
#include "scalar.h"
#include "secp256k1_group.h"
#include "secp256k1_halves.h"
#include "signed_windows.h"
#include "u256_inverse.h"

/* Windows of the multiplication by a point without a table: 26 in each half of a scalar, 16 odd multiples. */
#define LONG_BITS 5
#define LONG_WINDOWS 26
#define LONG_ENTRIES (1 << (LONG_BITS - 1))

/* Additions that share an inversion while a table is made. */
#define BATCH 256
#define POWERS_MAX 272

static const u256 one = {{1, 0, 0, 0}};

static void invert(u256 *r, const u256 *a) {
    u256 reduced;
    secp256k1_fe_normalize(&reduced, a);
    u256_inverse_var(r, &reduced, &secp256k1_fe_p);
}

/* A = x^2, B = y^2, C = B^2, D = 2 ((x + B)^2 - A - C), E = 3 A; x' = E^2 - 2 D, y' = E (D - x') - 8 C, z' = 2 y z. */
static void double_point(secp256k1_jacobian *r, const secp256k1_jacobian *a) {
    u256 aa, bb, c, d, e, t;
    FE(sqr)(&aa, &a->x);
    FE(sqr)(&bb, &a->y);
    FE(sqr)(&c, &bb);
    FE(add)(&t, &a->x, &bb);
    FE(sqr)(&t, &t);
    FE(sub)(&t, &t, &aa);
    FE(sub)(&t, &t, &c);
    FE(add)(&d, &t, &t);
    FE(add)(&e, &aa, &aa);
    FE(add)(&e, &e, &aa);
    FE(mul)(&t, &a->y, &a->z);
    FE(add)(&r->z, &t, &t);
    FE(sqr)(&t, &e);
    FE(sub)(&t, &t, &d);
    FE(sub)(&r->x, &t, &d);
    FE(sub)(&t, &d, &r->x);
    FE(mul)(&t, &t, &e);
    FE(add)(&c, &c, &c);
    FE(add)(&c, &c, &c);
    FE(add)(&c, &c, &c);
    FE(sub)(&r->y, &t, &c);
}

/* h = x2 z1^2 - x1, v = y2 z1^3 - y1; x' = v^2 - h^3 - 2 x1 h^2, y' = v (x1 h^2 - x') - y1 h^3, z' = z1 h. Complete. */
static void add_point(secp256k1_jacobian *r, const secp256k1_affine *b) {
    if (secp256k1_fe_is_zero(&r->z)) {
        *r = (secp256k1_jacobian){b->x, b->y, one};
        return;
    }
    u256 zz, h, v, hh, hhh, t, x;
    FE(sqr)(&zz, &r->z);
    FE(mul)(&h, &b->x, &zz);
    FE(sub)(&h, &h, &r->x);
    FE(mul)(&v, &b->y, &zz);
    FE(mul)(&v, &v, &r->z);
    FE(sub)(&v, &v, &r->y);
    if (secp256k1_fe_is_zero(&h) && secp256k1_fe_is_zero(&v)) {
        double_point(r, r);
        return;
    }
    /* With h = 0 and v not, the points are opposite, and z' = 0 is the point at infinity. */
    FE(sqr)(&hh, &h);
    FE(mul)(&hhh, &hh, &h);
    FE(mul)(&t, &r->x, &hh);
    FE(sqr)(&x, &v);
    FE(sub)(&x, &x, &hhh);
    FE(sub)(&x, &x, &t);
    FE(sub)(&x, &x, &t);
    FE(sub)(&t, &t, &x);
    FE(mul)(&t, &t, &v);
    FE(mul)(&hhh, &hhh, &r->y);
    FE(sub)(&r->y, &t, &hhh);
    FE(mul)(&r->z, &r->z, &h);
    r->x = x;
}

/* r[i] = a[i] for all i < count with one inversion; 1 <= count, none is infinity. */
static void to_affine(secp256k1_affine *r, const secp256k1_jacobian *a, int count) {
    r[0].x = a[0].z;
    for (int i = 1; i < count; i++) {
        FE(mul)(&r[i].x, &r[i - 1].x, &a[i].z);
    }
    u256 inverse, zi, zz, t;
    invert(&inverse, &r[count - 1].x);
    for (int i = count - 1; i >= 0; i--) {
        if (i == 0) {
            zi = inverse;
        } else {
            FE(mul)(&zi, &inverse, &r[i - 1].x);
            FE(mul)(&inverse, &inverse, &a[i].z);
        }
        FE(sqr)(&zz, &zi);
        FE(mul)(&t, &a[i].x, &zz);
        secp256k1_fe_normalize(&r[i].x, &t);
        FE(mul)(&zz, &zz, &zi);
        FE(mul)(&t, &a[i].y, &zz);
        secp256k1_fe_normalize(&r[i].y, &t);
    }
}

/* An affine addition target = a + b that waits for its inversion; product is that of the differences before. */
typedef struct {
    u256 difference, product;
} pending;

/*
 * target = a + b from inverse = 1 / (b.x - a.x): lambda = (y2 - y1) inverse, x3 = lambda^2 - x1 - x2, y3 = lambda (x1 -
 * x3) - y1.
 */
static inline void add_affine(
        secp256k1_affine *target, const secp256k1_affine *a, const secp256k1_affine *b, const u256 *inverse) {
    u256 lambda, x, t;
    FE(sub)(&t, &b->y, &a->y);
    FE(mul)(&lambda, &t, inverse);
    FE(sqr)(&x, &lambda);
    FE(sub)(&x, &x, &a->x);
    FE(sub)(&x, &x, &b->x);
    FE(sub)(&t, &a->x, &x);
    FE(mul)(&t, &t, &lambda);
    FE(sub)(&target->y, &t, &a->y);
    target->x = x;
}

typedef struct {
    secp256k1_affine *target;
    const secp256k1_affine *source, *addend;
} addition;

static void add_up(const addition *additions, int count) {
    pending pendings[BATCH];
    u256 product = one, inverse, own;
    for (int i = 0; i < count; i++) {
        FE(sub)(&pendings[i].difference, &additions[i].addend->x, &additions[i].source->x);
        pendings[i].product = product;
        FE(mul)(&product, &product, &pendings[i].difference);
    }
    invert(&inverse, &product);
    for (int i = count - 1; i >= 0; i--) {
        FE(mul)(&own, &inverse, &pendings[i].product);
        FE(mul)(&inverse, &inverse, &pendings[i].difference);
        add_affine(additions[i].target, additions[i].source, additions[i].addend, &own);
        secp256k1_fe_normalize(&additions[i].target->x, &additions[i].target->x);
        secp256k1_fe_normalize(&additions[i].target->y, &additions[i].target->y);
    }
}

/*
 * Given the first k = 2^c entries of a window, 1, 3, ... 2 k - 1 times its power of two, the next k follow by adding 2
 * k times it. No addition meets equal or opposite points: multiples of a point of prime order n by numbers below 2^bits
 * differ.
 */
static void build_table_var(secp256k1_affine *table, const secp256k1_affine *p, int bits) {
    const int windows = signed_windows_count(bits), per_window = 1 << (bits - 1);
    secp256k1_jacobian doubled[POWERS_MAX];
    secp256k1_affine powers[POWERS_MAX];
    doubled[0] = (secp256k1_jacobian){p->x, p->y, one};
    for (int i = 1; i < windows * bits; i++) {
        double_point(&doubled[i], &doubled[i - 1]);
    }
    to_affine(powers, doubled, windows * bits);
    for (int j = 0; j < windows; j++) {
        table[j * per_window] = powers[j * bits];
    }
    addition additions[BATCH];
    for (int c = 0; c < bits - 1; c++) {
        int waiting = 0;
        for (int j = 0; j < windows; j++) {
            secp256k1_affine *window = table + j * per_window;
            for (int i = 0; i < 1 << c; i++) {
                additions[waiting++] = (addition){&window[(1 << c) + i], &window[i], &powers[j * bits + c + 1]};
                if (waiting == BATCH) {
                    add_up(additions, waiting);
                    waiting = 0;
                }
            }
        }
        if (waiting > 0) {
            add_up(additions, waiting);
        }
    }
}

/* a[q] += b[q] for q < count, where q mod work->count is the sum it belongs to. */
static void add_level(
        secp256k1_affine *a, const secp256k1_affine *b, int count, pending *pendings, const secp256k1_sum_work *work) {
    u256 product = one, inverse, own;
    for (int q = 0; q < count; q++) {
        pending *p = &pendings[q];
        FE(sub)(&p->difference, &b[q].x, &a[q].x);
        if (__builtin_expect(secp256k1_fe_is_zero(&p->difference) != 0, 0)) {
            p->difference = one;
            work->states[q % work->count] = SECP256K1_SUM_UNDECIDED;
        }
        p->product = product;
        FE(mul)(&product, &product, &p->difference);
    }
    invert(&inverse, &product);
    for (int q = count - 1; q >= 0; q--) {
        FE(mul)(&own, &inverse, &pendings[q].product);
        FE(mul)(&inverse, &inverse, &pendings[q].difference);
        add_affine(&a[q], &a[q], &b[q], &own);
    }
}

static inline void read_term(secp256k1_affine *point, uint64_t term) {
    *point = *(const secp256k1_affine *)(uintptr_t)(term & ~(uint64_t)1);
    if (term & 1) {
        FE(neg)(&point->y, &point->y);
    }
}

static void terms_var(uint64_t *terms, int stride, const u256 *const k[8], const uint64_t tables[8], int bits) {
    for (int i = 0; i < 8; i++) {
        comb_terms_of(terms + i, stride, k[i], tables[i], &secp256k1_order.n.m, bits);
    }
}

static void sum_var(const secp256k1_sum_work *work) {
    secp256k1_affine *points = work->scratch;
    pending *pendings = (pending *)(points + SECP256K1_SUM_TERMS * work->count);
    for (int k = 0; k < SECP256K1_SUM_TERMS; k++) {
        for (int i = 0; i < work->count; i++) {
            read_term(&points[k * work->count + i], work->terms[k * work->stride + i]);
        }
    }
    for (int i = 0; i < work->count; i++) {
        work->states[i] = SECP256K1_SUM_DONE;
    }
    for (int left = SECP256K1_SUM_TERMS; left > 1; left -= left / 2) {
        int half = left / 2;
        add_level(points, points + (left - half) * work->count, half * work->count, pendings, work);
    }
    for (int i = 0; i < work->count; i++) {
        secp256k1_fe_normalize(&work->sums[i].x, &points[i].x);
        secp256k1_fe_normalize(&work->sums[i].y, &points[i].y);
    }
}

/* Adds up one sum by complete formulas; infinity is possible. */
static void add_completely(secp256k1_jacobian *sum, const secp256k1_sum_work *work, int i) {
    *sum = (secp256k1_jacobian){{{0}}, {{0}}, {{0}}};
    for (int k = 0; k < SECP256K1_SUM_TERMS; k++) {
        secp256k1_affine point;
        read_term(&point, work->terms[k * work->stride + i]);
        add_point(sum, &point);
    }
}

/* All sums of a call that are not infinity share one inversion. */
static void sum_complete_var(const secp256k1_sum_work *work, const int *indices, int count) {
    secp256k1_jacobian sums[SECP256K1_SUM_COUNT_MAX];
    secp256k1_affine points[SECP256K1_SUM_COUNT_MAX];
    int finite[SECP256K1_SUM_COUNT_MAX], finite_count = 0;
    for (int i = 0; i < count; i++) {
        secp256k1_jacobian *sum = &sums[finite_count];
        add_completely(sum, work, indices[i]);
        int is_infinite = (int)secp256k1_fe_is_zero(&sum->z);
        work->states[indices[i]] = is_infinite ? SECP256K1_SUM_INFINITE : SECP256K1_SUM_DONE;
        if (!is_infinite) {
            finite[finite_count++] = indices[i];
        }
    }
    if (finite_count == 0) {
        return;
    }
    to_affine(points, sums, finite_count);
    for (int i = 0; i < finite_count; i++) {
        work->sums[finite[i]] = points[i];
    }
}

/* r += digit p, where table has the odd multiples of p. */
static void add_digit(secp256k1_jacobian *r, const secp256k1_affine *table, int digit) {
    secp256k1_affine entry = table[(digit < 0 ? -digit : digit) >> 1];
    if (digit < 0) {
        FE(neg)(&entry.y, &entry.y);
    }
    add_point(r, &entry);
}

/* The odd multiples of p, and lambda times these. */
static void make_multiples(secp256k1_affine table[2][LONG_ENTRIES], const secp256k1_affine *p) {
    secp256k1_jacobian multiples[LONG_ENTRIES], twice;
    secp256k1_affine twice_affine;
    multiples[0] = (secp256k1_jacobian){p->x, p->y, one};
    double_point(&twice, &multiples[0]);
    to_affine(&twice_affine, &twice, 1);
    for (int i = 1; i < LONG_ENTRIES; i++) {
        multiples[i] = multiples[i - 1];
        add_point(&multiples[i], &twice_affine);
    }
    to_affine(table[0], multiples, LONG_ENTRIES);
    for (int i = 0; i < LONG_ENTRIES; i++) {
        FE(mul)(&table[1][i].x, &table[0][i].x, &secp256k1_beta);
        table[1][i].y = table[0][i].y;
    }
}

/* r += w p, r being infinity: both halves of w over the same doublings. */
static void multiply_long(secp256k1_jacobian *r, const u256 *w, const secp256k1_affine *p) {
    secp256k1_affine table[2][LONG_ENTRIES];
    secp256k1_halves halves;
    signed_windows windows[2];
    make_multiples(table, p);
    secp256k1_halves_of(&halves, w);
    for (int half = 0; half < 2; half++) {
        signed_windows_of_odd(
                &windows[half], &halves.magnitude[half], halves.is_negative[half], LONG_BITS, LONG_WINDOWS);
    }
    for (int j = LONG_WINDOWS - 1; j >= 0; j--) {
        for (int i = 0; i < LONG_BITS && j < LONG_WINDOWS - 1; i++) {
            double_point(r, r);
        }
        for (int half = 0; half < 2; half++) {
            add_digit(r, table[half], signed_windows_digit(&windows[half], j, LONG_BITS));
        }
    }
}

_Static_assert(LONG_BITS *LONG_WINDOWS >= SECP256K1_HALVES_BITS, "halves have more bits than their windows");

static int multiply_add_var(secp256k1_affine *r, const u256 *u, const u256 *w, const secp256k1_affine *p,
        const secp256k1_affine *generator) {
    secp256k1_jacobian sum = {{{0}}, {{0}}, {{0}}};
    if (!u256_is_zero(w)) {
        multiply_long(&sum, w, p);
    }
    if (!u256_is_zero(u)) {
        signed_windows windows;
        signed_windows_of(&windows, u, &secp256k1_order.n.m, SECP256K1_GENERATOR_BITS);
        for (int j = 0; j < SECP256K1_GENERATOR_WINDOWS; j++) {
            const secp256k1_affine *window = generator + ((size_t)j << (SECP256K1_GENERATOR_BITS - 1));
            add_digit(&sum, window, signed_windows_digit(&windows, j, SECP256K1_GENERATOR_BITS));
        }
    }
    if (secp256k1_fe_is_zero(&sum.z)) {
        return 0;
    }
    to_affine(r, &sum, 1);
    return 1;
}

static void multiply_var(const secp256k1_multiply_work *work) {
    for (int i = 0; i < work->count; i++) {
        const secp256k1_factors *own = &work->factors[i];
        int is_point = multiply_add_var(&work->sums[i], own->u, own->w, own->point, work->generator);
        work->states[i] = is_point ? SECP256K1_SUM_DONE : SECP256K1_SUM_INFINITE;
    }
}
