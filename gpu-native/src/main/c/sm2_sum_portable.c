#include "sm2_sum.h"

typedef struct {
    u256 difference, product;
} pending;

_Static_assert(sizeof(sm2_ge_affine) + sizeof(pending) <= 160, "scratch memory is too small");

static void load_terms(sm2_ge_affine *points, const sm2_sum_work *work) {
    for (int k = 0; k < work->term_count; k++) {
        for (int i = 0; i < work->count; i++) {
            uint64_t term = work->terms[k * work->stride + i];
            const sm2_ge_affine *entry = (const sm2_ge_affine *)(uintptr_t)(term & ~(uint64_t)1);
            sm2_ge_affine *point = &points[k * work->count + i];
            *point = *entry;
            if (term & 1) {
                sm2_fe_neg(&point->y, &point->y);
            }
        }
    }
}

/* a[q] += b[q] for q < count, where q mod work->count is the sum it belongs to. */
static void add_level(sm2_ge_affine *a, const sm2_ge_affine *b, int count, pending *pendings, const sm2_sum_work *work) {
    u256 product = sm2_fe_one, inverse, lambda, x, t;
    for (int q = 0; q < count; q++) {
        pending *p = &pendings[q];
        sm2_fe_sub(&p->difference, &b[q].x, &a[q].x);
        if (__builtin_expect(u256_is_zero(&p->difference) != 0, 0)) {
            p->difference = sm2_fe_one;
            work->verdicts[q % work->count] = SM2_SUM_UNDECIDED;
        }
        p->product = product;
        sm2_fe_mul(&product, &product, &p->difference);
    }
    sm2_fe_inv_var(&inverse, &product);
    for (int q = count - 1; q >= 0; q--) {
        const pending *p = &pendings[q];
        sm2_fe_mul(&lambda, &inverse, &p->product);
        sm2_fe_mul(&inverse, &inverse, &p->difference);
        sm2_fe_sub(&t, &b[q].y, &a[q].y);
        sm2_fe_mul(&lambda, &lambda, &t);
        sm2_fe_sqr(&x, &lambda);
        sm2_fe_sub(&x, &x, &a[q].x);
        sm2_fe_sub(&x, &x, &b[q].x);
        sm2_fe_sub(&t, &a[q].x, &x);
        sm2_fe_mul(&t, &t, &lambda);
        sm2_fe_sub(&a[q].y, &t, &a[q].y);
        a[q].x = x;
    }
}

void sm2_sum_portable_var(const sm2_sum_work *work) {
    sm2_ge_affine *points = work->scratch;
    pending *pendings = (pending *)(points + work->term_count * work->count);
    load_terms(points, work);
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
