/* Sums and products of a secp256k1_group over the lanes of AVX-512; the rest of the group is that for MULX and ADX. */
#include "comb_terms.h"
#include "scalar.h"
#include "secp256k1_ge8.h"
#include "secp256k1_group.h"
#include "secp256k1_halves.h"

#include <string.h>

#include "sum8_body.h"

/* secp256k1_beta in limbs of 52 bits. */
static const uint64_t secp256k1_fe8_beta[5] = {
        0x96C28719501EE, 0x7512F58995C13, 0xC3434E99CF049, 0x7106E64479EA, 0x7AE96A2B657C};

#define MULTIPLY8_WINDOWS 26
#define MULTIPLY8_PARTS 2
#define MULTIPLY8_GENERATOR_BITS SECP256K1_GENERATOR_BITS

#include "multiply8_body.h"

/* Fewer products than this are faster one at a time. */
#define LANES_MIN 2

_Static_assert(sizeof(multiply8_group) * (SECP256K1_SUM_COUNT_MAX / 8) <= SECP256K1_SUM_SCRATCH_SIZE,
        "scratch memory is too small");
_Static_assert(MULTIPLY8_BITS *MULTIPLY8_WINDOWS >= SECP256K1_HALVES_BITS, "halves have more bits than their windows");
_Static_assert(SUM8_MEMORY_SIZE <= 8 * 160, "scratch memory is too small");
_Static_assert(SUM8_MET == SECP256K1_SUM_UNDECIDED, "marks become states");

static sum8_work lanes_of(const secp256k1_sum_work *work) {
    return (sum8_work){work->terms, SECP256K1_SUM_TERMS, work->stride / 8, work->states, work->scratch};
}

/* z = 1 where it is 0. Returns these lanes. */
static __mmask8 replace_zero(fe8 *z) {
    const fe8 one = fe8_of(secp256k1_fe8_one);
    *z = fe8_trim(*z);
    __mmask8 zeros = secp256k1_fe8_zero_lanes(*z);
    fe8_select(z, zeros, &one);
    return zeros;
}

/* Writes lane l of count lanes, l = 0, spread, 2 spread, ..., to sums[indices[l / spread]], given 1 / z. */
static void write_affine(
        secp256k1_affine *sums, const ge8_jacobian *sum, fe8 inverse, const int *indices, int count, int spread) {
    fe8 zz = secp256k1_fe8_sqr_loose(inverse);
    fe8 x = secp256k1_fe8_mul(sum->x, zz), y = secp256k1_fe8_mul(sum->y, secp256k1_fe8_mul_loose(zz, inverse));
    for (int i = 0; i < count; i++) {
        secp256k1_fe8_reduced_lane(&sums[indices[i]].x, &x, i * spread);
        secp256k1_fe8_reduced_lane(&sums[indices[i]].y, &y, i * spread);
    }
}

/* Finishes sums that are spread over the lanes. */
static void finish_spread(
        const secp256k1_sum_work *work, ge8_jacobian *sum, uint8_t infinite, const int *indices, int count) {
    int has_zero;
    const int spread = spread_of(count);
    const __mmask8 zeros = replace_zero(&sum->z);
    fe8 inverse = secp256k1_fe8_inverse_var(sum->z, &has_zero);
    write_affine(work->sums, sum, inverse, indices, count, spread);
    for (int i = 0; i < count; i++) {
        work->states[indices[i]] = infinite >> i * spread & 1 ? SECP256K1_SUM_INFINITE
                                 : zeros >> i * spread & 1    ? SECP256K1_SUM_UNDECIDED
                                                              : SECP256K1_SUM_DONE;
    }
}

/* Writes eight sums for each of the groups with one inversion; lanes without z become undecided. Overwrites z. */
static void finish_groups(secp256k1_affine *written, uint8_t *states, ge8_jacobian *sums, int groups) {
    fe8 products[SECP256K1_SUM_COUNT_MAX / 8], product = fe8_of(secp256k1_fe8_one);
    int has_zero;
    for (int g = 0; g < groups; g++) {
        const __mmask8 zeros = replace_zero(&sums[g].z);
        for (int lane = 0; lane < 8; lane++) {
            states[8 * g + lane] |= zeros >> lane & 1 ? SECP256K1_SUM_UNDECIDED : 0;
        }
        products[g] = product;
        product = secp256k1_fe8_mul_loose(product, sums[g].z);
    }
    fe8 inverse = secp256k1_fe8_inverse_var(product, &has_zero);
    for (int g = groups - 1; g >= 0; g--) {
        static const int indices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        write_affine(written + 8 * g, &sums[g], secp256k1_fe8_mul_loose(inverse, products[g]), indices, 8, 1);
        inverse = secp256k1_fe8_mul_loose(inverse, sums[g].z);
    }
}

/* Finishes the sums of all groups; what is left of them on the tree is added up on the way. */
static void finish_tree(const secp256k1_sum_work *work, const sum8_work *lanes, int left) {
    ge8_jacobian sums[SECP256K1_SUM_COUNT_MAX / 8];
    for (int g = 0; g < lanes->groups; g++) {
        add_the_rest(&sums[g], left, g, lanes);
    }
    finish_groups(work->sums, work->states, sums, lanes->groups);
}

static void terms_var(uint64_t *terms, int stride, const u256 *const k[8], const uint64_t tables[8], int bits) {
    comb_terms_of_8(terms, stride, k, tables, &secp256k1_order.n.m, bits);
}

static void sum_var(const secp256k1_sum_work *work) {
    const sum8_work lanes = lanes_of(work);
    if (work->count <= SPREAD_MAX) {
        static const int indices[SPREAD_MAX] = {0, 1, 2, 3};
        ge8_jacobian sum;
        uint8_t infinite;
        add_spread(&sum, &infinite, &lanes, indices, work->count, 0);
        finish_spread(work, &sum, infinite, indices, work->count);
        return;
    }
    finish_tree(work, &lanes, add_as_tree(&lanes));
}

/* Eight sums at a time, fewer spread over the lanes; all share one inversion, as in finish_groups. */
static void sum_complete_var(const secp256k1_sum_work *work, const int *indices, int count) {
    const sum8_work lanes = lanes_of(work);
    const int groups = (count + 7) / 8;
    ge8_jacobian sums[SECP256K1_SUM_COUNT_MAX / 8];
    fe8 products[SECP256K1_SUM_COUNT_MAX / 8], product = fe8_of(secp256k1_fe8_one);
    int has_zero;
    for (int g = 0; g < groups; g++) {
        const int own = g < groups - 1 ? 8 : count - 8 * g, spread = spread_of(own);
        uint8_t infinite;
        add_spread(&sums[g], &infinite, &lanes, indices + 8 * g, own, 1);
        const __mmask8 zeros = replace_zero(&sums[g].z);
        for (int i = 0; i < own; i++) {
            work->states[indices[8 * g + i]] = infinite >> i * spread & 1 ? SECP256K1_SUM_INFINITE
                                             : zeros >> i * spread & 1    ? SECP256K1_SUM_UNDECIDED
                                                                          : SECP256K1_SUM_DONE;
        }
        products[g] = product;
        product = secp256k1_fe8_mul_loose(product, sums[g].z);
    }
    fe8 inverse = secp256k1_fe8_inverse_var(product, &has_zero);
    for (int g = groups - 1; g >= 0; g--) {
        const int own = g < groups - 1 ? 8 : count - 8 * g;
        const fe8 zi = secp256k1_fe8_mul_loose(inverse, products[g]);
        write_affine(work->sums, &sums[g], zi, indices + 8 * g, own, spread_of(own));
        inverse = secp256k1_fe8_mul_loose(inverse, sums[g].z);
    }
}

/* Puts eight products into a group, the last one again where there are fewer. */
static void load_factors(multiply8_group *a, const secp256k1_multiply_work *work, int first) {
    const void *points[8];
    const u256 *u[8];
    uint64_t generators[8];
    for (int lane = 0; lane < 8; lane++) {
        const secp256k1_factors *own = &work->factors[first + lane < work->count ? first + lane : work->count - 1];
        secp256k1_halves halves;
        secp256k1_halves_of(&halves, own->w);
        for (int part = 0; part < 2; part++) {
            signed_windows windows;
            signed_windows_of_odd(
                    &windows, &halves.magnitude[part], halves.is_negative[part], MULTIPLY8_BITS, MULTIPLY8_WINDOWS);
            put_digits(a, part, lane, &windows);
        }
        points[lane] = own->point;
        u[lane] = own->u;
        generators[lane] = (uint64_t)(uintptr_t)work->generator;
    }
    a->table[0] = load_anywhere(points);
    comb_terms_of_8(a->generator_terms[0], 8, u, generators, &secp256k1_order.n.m, SECP256K1_GENERATOR_BITS);
}

FE8_INLINE void multiply_in_lanes(const secp256k1_multiply_work *work, int is_complete) {
    multiply8_group *groups = work->scratch;
    ge8_jacobian sums[SECP256K1_SUM_COUNT_MAX / 8];
    const int group_count = (work->count + 7) / 8;
    for (int g = 0; g < group_count; g++) {
        load_factors(&groups[g], work, 8 * g);
    }
    multiply_groups(groups, group_count, is_complete);
    for (int i = 0; i < 8 * group_count; i++) {
        work->states[i] = SECP256K1_SUM_DONE;
    }
    for (int g = 0; g < group_count; g++) {
        sums[g] = groups[g].sum;
    }
    finish_groups(work->sums, work->states, sums, group_count);
    for (int i = 0; i < work->count; i++) {
        work->states[i] = groups[i / 8].infinite >> i % 8 & 1 ? SECP256K1_SUM_INFINITE : work->states[i];
    }
}

static __attribute__((noinline)) void multiply_quickly(const secp256k1_multiply_work *work) {
    multiply_in_lanes(work, 0);
}

static __attribute__((noinline)) void multiply_completely(const secp256k1_multiply_work *work) {
    if (work->count < LANES_MIN) {
        secp256k1_group_adx.multiply_var(work);
    } else {
        multiply_in_lanes(work, 1);
    }
}

/* Decides by complete formulas what is undecided. */
static void multiply_again(const secp256k1_multiply_work *work) {
    int indices[SECP256K1_SUM_COUNT_MAX];
    uint8_t states[SECP256K1_SUM_COUNT_MAX];
    secp256k1_factors factors[SECP256K1_SUM_COUNT_MAX];
    secp256k1_affine sums[SECP256K1_SUM_COUNT_MAX];
    secp256k1_multiply_work again = {factors, 0, work->generator, sums, states, work->scratch};
    for (int i = 0; i < work->count; i++) {
        if (work->states[i] == SECP256K1_SUM_UNDECIDED) {
            indices[again.count] = i;
            factors[again.count++] = work->factors[i];
        }
    }
    if (again.count > 0) {
        multiply_completely(&again);
    }
    for (int i = 0; i < again.count; i++) {
        work->sums[indices[i]] = sums[i];
        work->states[indices[i]] = states[i];
    }
}

static void multiply_var(const secp256k1_multiply_work *work) {
    if (work->count < LANES_MIN) {
        secp256k1_group_adx.multiply_var(work);
        return;
    }
    multiply_quickly(work);
    multiply_again(work);
}

static void build_table_var(secp256k1_affine *table, const secp256k1_affine *p, int bits) {
    secp256k1_group_adx.build_table_var(table, p, bits);
}

static int multiply_add_var(secp256k1_affine *r, const u256 *u, const u256 *w, const secp256k1_affine *p,
        const secp256k1_affine *generator) {
    return secp256k1_group_adx.multiply_add_var(r, u, w, p, generator);
}

const secp256k1_group secp256k1_group_avx512 = {
        build_table_var, terms_var, sum_var, sum_complete_var, multiply_var, multiply_add_var};
