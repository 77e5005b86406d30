#include "sm2_ge8.h"

/* A difference of two x, and the product of those before it in its chain. */
typedef struct {
    sm2_fe8 difference, product;
} pending;

_Static_assert(sizeof(sm2_ge8_affine) + sizeof(pending) / 2 <= 8 * 160, "scratch memory is too small");

/* Distance, in additions, at which table entries are prefetched before their use. */
#define PREFETCH_DISTANCE 4

/* With fewer additions than this in a level its inversion costs more than Jacobian coordinates do. */
#define AFFINE_ADDITIONS_MIN 16

/* Independent chains of products: a multiplication's latency is almost twice its cost. */
#define CHAINS 2

SM2_FE8_INLINE const sm2_ge_affine *entry_of(uint64_t term) {
    return (const sm2_ge_affine *)(uintptr_t)(term & ~(uint64_t)1);
}

static inline void prefetch_terms(const uint64_t *terms) {
    for (int lane = 0; lane < 8; lane++) {
        __builtin_prefetch(entry_of(terms[lane]));
    }
}

SM2_FE8_INLINE sm2_ge8_affine load_terms(const uint64_t *terms) {
    const sm2_ge_affine *points[8];
    for (int lane = 0; lane < 8; lane++) {
        points[lane] = entry_of(terms[lane]);
    }
    sm2_ge8_affine r = sm2_ge8_load(points);
    r.y = sm2_fe8_neg_lanes(r.y, _mm512_test_epi64_mask(_mm512_loadu_si512(terms), v8_of(1)));
    return r;
}

/*
 * Returns a + b, narrow, given 1 / (b.x - a.x), loose and below 2 p: lambda = (b.y - a.y) / (b.x - a.x), x = lambda^2 -
 * a.x - b.x, y = lambda (a.x - x) - a.y. All coordinates are narrow, so x is at least 2 p before narrowing and y 2 p.
 */
SM2_FE8_INLINE sm2_ge8_affine add_affine(const sm2_ge8_affine *a, const sm2_ge8_affine *b, sm2_fe8 inverse) {
    sm2_fe8 lambda = sm2_fe8_mul_loose(sm2_fe8_sub_loose(b->y, a->y), inverse);
    sm2_fe8 x = sm2_fe8_raw_sub(sm2_fe8_raw_sub(sm2_fe8_sqr(lambda), a->x), b->x);
    x = sm2_fe8_narrow(sm2_fe8_raw_add_p(x, 4));
    sm2_fe8 y = sm2_fe8_raw_sub(sm2_fe8_mul(lambda, sm2_fe8_sub_loose(a->x, x)), a->y);
    return (sm2_ge8_affine){x, sm2_fe8_narrow(sm2_fe8_raw_add_p(y, 3))};
}

SM2_FE8_INLINE void chain_difference(pending *p, int q, sm2_fe8 difference, sm2_fe8 product[CHAINS]) {
    p->difference = difference;
    p->product = product[q % CHAINS];
    product[q % CHAINS] = sm2_fe8_mul_loose(product[q % CHAINS], difference);
}

/*
 * Where a difference is 0, puts 1 and marks the sum; then builds the chains again. groups is how many groups of eight
 * sums there are.
 */
static __attribute__((noinline)) void divert_zeros(
        pending *pendings, int count, int groups, sm2_fe8 product[CHAINS], const sm2_sum_work *work) {
    product[0] = product[1] = sm2_fe8_of(sm2_fe8_one);
    for (int q = 0; q < count; q++) {
        sm2_fe8 difference = sm2_fe8_trim(pendings[q].difference);
        __mmask8 zeros = sm2_fe8_zero_lanes(difference);
        for (int i = 0; i < 5; i++) {
            difference.l[i] = _mm512_mask_mov_epi64(difference.l[i], zeros, v8_of(sm2_fe8_one[i]));
        }
        for (int lane = 0; lane < 8; lane++) {
            if (zeros >> lane & 1) {
                work->verdicts[q % groups * 8 + lane] = SM2_SUM_UNDECIDED;
            }
        }
        chain_difference(&pendings[q], q, difference, product);
    }
}

/* a[q] += b[q] for q < count, once all differences are chained. */
static inline __attribute__((always_inline)) void finish_level(sm2_ge8_affine *a, const sm2_ge8_affine *b, int count,
        int groups, pending *pendings, sm2_fe8 product[CHAINS], const sm2_sum_work *work) {
    int has_zero;
    sm2_fe8 inverse[CHAINS], both = sm2_fe8_inverse_var(sm2_fe8_mul_loose(product[0], product[1]), &has_zero);
    if (__builtin_expect(has_zero, 0)) {
        divert_zeros(pendings, count, groups, product, work);
        both = sm2_fe8_inverse_var(sm2_fe8_mul_loose(product[0], product[1]), &has_zero);
    }
    inverse[0] = sm2_fe8_mul_loose(both, product[1]);
    inverse[1] = sm2_fe8_mul_loose(both, product[0]);
    for (int q = count - 1; q >= 0; q--) {
        sm2_fe8 own = sm2_fe8_mul_loose(inverse[q % CHAINS], pendings[q].product);
        inverse[q % CHAINS] = sm2_fe8_mul_loose(inverse[q % CHAINS], pendings[q].difference);
        a[q] = add_affine(&a[q], &b[q], own);
    }
}

/* The first level, which also reads the terms. */
static __attribute__((noinline)) void add_terms(
        sm2_ge8_affine *points, int half, int groups, pending *pendings, const sm2_sum_work *work) {
    const int count = half * groups, distance = (work->term_count - half) * groups;
    sm2_fe8 product[CHAINS] = {sm2_fe8_of(sm2_fe8_one), sm2_fe8_of(sm2_fe8_one)};
    const uint64_t *first = work->terms, *second = work->terms + 8 * distance;
    for (int q = 0; q < count; q++) {
        if (q + PREFETCH_DISTANCE < count) {
            prefetch_terms(first + 8 * (q + PREFETCH_DISTANCE));
            prefetch_terms(second + 8 * (q + PREFETCH_DISTANCE));
        }
        points[q] = load_terms(first + 8 * q);
        points[distance + q] = load_terms(second + 8 * q);
        chain_difference(&pendings[q], q, sm2_fe8_sub_loose(points[distance + q].x, points[q].x), product);
    }
    for (int q = count; q < distance; q++) {
        points[q] = load_terms(first + 8 * q);
    }
    finish_level(points, points + distance, count, groups, pendings, product, work);
}

static __attribute__((noinline)) void add_level(sm2_ge8_affine *a, const sm2_ge8_affine *b, int count, int groups,
        pending *pendings, const sm2_sum_work *work) {
    sm2_fe8 product[CHAINS] = {sm2_fe8_of(sm2_fe8_one), sm2_fe8_of(sm2_fe8_one)};
    for (int q = 0; q < count; q++) {
        chain_difference(&pendings[q], q, sm2_fe8_sub_loose(b[q].x, a[q].x), product);
    }
    finish_level(a, b, count, groups, pendings, product, work);
}

/* Adds what is left of each sum one by one, without inversions, and compares. */
static void finish_sums(const sm2_ge8_affine *points, int left, int groups, const sm2_sum_work *work) {
    for (int g = 0; g < groups; g++) {
        sm2_ge8_jacobian sum = {points[g].x, points[g].y, sm2_fe8_of(sm2_fe8_one)};
        for (int k = 1; k < left; k++) {
            sm2_ge8_add(&sum, &points[k * groups + g].x, &points[k * groups + g].y);
        }
        uint8_t verdicts[8];
        sm2_ge8_compare(verdicts, &sum, work->expected_x + 8 * g);
        for (int lane = 0; lane < 8; lane++) {
            if (work->verdicts[8 * g + lane] != SM2_SUM_UNDECIDED) {
                work->verdicts[8 * g + lane] = verdicts[lane];
            }
        }
    }
}

void sm2_sum_avx512_var(const sm2_sum_work *work) {
    const int groups = work->stride / 8;
    sm2_ge8_affine *points = work->scratch;
    pending *pendings = (pending *)(points + work->term_count * groups);
    for (int i = 0; i < work->stride; i++) {
        work->verdicts[i] = SM2_SUM_DIFFERENT;
    }
    int left = work->term_count, half = left / 2;
    add_terms(points, half, groups, pendings, work);
    for (left -= half; left / 2 * groups >= AFFINE_ADDITIONS_MIN; left -= half) {
        half = left / 2;
        add_level(points, points + (left - half) * groups, half * groups, groups, pendings, work);
    }
    finish_sums(points, left, groups, work);
}

void sm2_sum_complete_avx512_var(const sm2_sum_work *work, const int *indices, int count) {
    const u256 *expected_x[8];
    sm2_ge8_jacobian sum = {sm2_fe8_of(sm2_fe8_one), sm2_fe8_of(sm2_fe8_one), sm2_fe8_of(sm2_fe8_one)};
    uint8_t infinite = 0xFF, verdicts[8];
    for (int k = 0; k < work->term_count; k++) {
        _Alignas(64) uint64_t terms[8];
        for (int lane = 0; lane < 8; lane++) {
            terms[lane] = work->terms[k * work->stride + indices[lane < count ? lane : 0]];
        }
        sm2_ge8_affine points = load_terms(terms);
        sm2_ge8_add_complete(&sum, &infinite, &points.x, &points.y);
    }
    for (int lane = 0; lane < 8; lane++) {
        expected_x[lane] = work->expected_x[indices[lane < count ? lane : 0]];
    }
    sm2_ge8_compare(verdicts, &sum, expected_x);
    for (int lane = 0; lane < count; lane++) {
        work->verdicts[indices[lane]] = infinite >> lane & 1 ? SM2_SUM_DIFFERENT : verdicts[lane];
    }
}
