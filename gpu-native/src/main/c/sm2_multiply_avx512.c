#include "sm2_multiply.h"

#include "signed_windows.h"
#include "sm2_ge8.h"

#include <string.h>

#define MULTIPLY8_WINDOWS 52
#define MULTIPLY8_PARTS 1
#define MULTIPLY8_GENERATOR_BITS SM2_TABLES_GENERATOR_BITS

#include "multiply8_body.h"

_Static_assert(
        sizeof(multiply8_group) * (SM2_MULTIPLY_COUNT / 8) <= SM2_MULTIPLY_SCRATCH_SIZE, "scratch memory is too small");

/* 2^264 mod p: the product with it turns a 2^256 into a 2^260. */
static const uint64_t to_52_bit_form[5] = {
        0x0000000000100, 0xFFFFFFFF00000, 0x0000000000000, 0x0000000000000, 0x0000001000000};

static void load_points(multiply8_group *a, const sm2_ge_affine *const points[8]) {
    const fe8 form = fe8_of(to_52_bit_form);
    const void *copied[8];
    for (int lane = 0; lane < 8; lane++) {
        copied[lane] = points[lane];
    }
    ge8_affine p = load_anywhere(copied);
    /* A product is below 1.1 p; 2 p more makes it wide enough to be narrowed. */
    a->table[0].x = sm2_fe8_narrow(sm2_fe8_raw_add_p(sm2_fe8_mul(p.x, form), 2));
    a->table[0].y = sm2_fe8_narrow(sm2_fe8_raw_add_p(sm2_fe8_mul(p.y, form), 2));
}

/* Recodes t into table entries and signs, and s into entries of G's table. */
static void recode(multiply8_group *a, const sm2_multiply_work *work, int first) {
    uint64_t generators[8];
    for (int lane = 0; lane < 8; lane++) {
        signed_windows windows;
        signed_windows_of(&windows, work->t[first + lane], &sm2_ge_order, MULTIPLY8_BITS);
        put_digits(a, 0, lane, &windows);
        generators[lane] = (uint64_t)(uintptr_t)work->generator;
    }
    comb_terms_of_8(a->generator_terms[0], 8, work->s + first, generators, &sm2_ge_order, MULTIPLY8_GENERATOR_BITS);
}

FE8_INLINE void multiply(const sm2_multiply_work *work, int count, int is_complete) {
    multiply8_group *groups = work->scratch;
    const int group_count = (count + 7) / 8;
    for (int g = 0; g < group_count; g++) {
        load_points(&groups[g], work->point + 8 * g);
        recode(&groups[g], work, 8 * g);
    }
    multiply_groups(groups, group_count, is_complete);
    for (int g = 0; g < group_count; g++) {
        uint8_t *verdicts = work->verdicts + 8 * g;
        sm2_ge8_compare(verdicts, &groups[g].sum, work->expected_x + 8 * g);
        for (int lane = 0; lane < 8; lane++) {
            verdicts[lane] = groups[g].infinite >> lane & 1 ? SM2_SUM_DIFFERENT : verdicts[lane];
        }
    }
}

void sm2_multiply_avx512_var(const sm2_multiply_work *work, int count) {
    multiply(work, count, 0);
}

void sm2_multiply_complete_avx512_var(const sm2_multiply_work *work, int count) {
    multiply(work, count, 1);
}
