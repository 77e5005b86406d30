/* Sums of a secp256k1_group over the lanes of AVX-512; the rest of the group is that for MULX and ADX. */
#include "comb_terms.h"
#include "scalar.h"
#include "secp256k1_ge8.h"
#include "secp256k1_group.h"

#include <string.h>

#include "sum8_body.h"

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
static void write_affine(const secp256k1_sum_work *work, const ge8_jacobian *sum, fe8 inverse, const int *indices,
        int count, int spread) {
    fe8 zz = secp256k1_fe8_sqr_loose(inverse);
    fe8 x = secp256k1_fe8_mul(sum->x, zz), y = secp256k1_fe8_mul(sum->y, secp256k1_fe8_mul_loose(zz, inverse));
    for (int i = 0; i < count; i++) {
        secp256k1_fe8_reduced_lane(&work->sums[indices[i]].x, &x, i * spread);
        secp256k1_fe8_reduced_lane(&work->sums[indices[i]].y, &y, i * spread);
    }
}

/* Finishes sums that are spread over the lanes. */
static void finish_spread(
        const secp256k1_sum_work *work, ge8_jacobian *sum, uint8_t infinite, const int *indices, int count) {
    int has_zero;
    const int spread = spread_of(count);
    const __mmask8 zeros = replace_zero(&sum->z);
    fe8 inverse = secp256k1_fe8_inverse_var(sum->z, &has_zero);
    write_affine(work, sum, inverse, indices, count, spread);
    for (int i = 0; i < count; i++) {
        work->states[indices[i]] = infinite >> i * spread & 1 ? SECP256K1_SUM_INFINITE
                                 : zeros >> i * spread & 1    ? SECP256K1_SUM_UNDECIDED
                                                              : SECP256K1_SUM_DONE;
    }
}

/* Finishes the sums of all groups with one inversion; what is left of them on the tree is added up on the way. */
static void finish_tree(const secp256k1_sum_work *work, const sum8_work *lanes, int left) {
    ge8_jacobian sums[SECP256K1_SUM_COUNT_MAX / 8];
    fe8 products[SECP256K1_SUM_COUNT_MAX / 8], product = fe8_of(secp256k1_fe8_one);
    int has_zero;
    for (int g = 0; g < lanes->groups; g++) {
        add_the_rest(&sums[g], left, g, lanes);
        const __mmask8 zeros = replace_zero(&sums[g].z);
        for (int lane = 0; lane < 8; lane++) {
            work->states[8 * g + lane] |= zeros >> lane & 1 ? SECP256K1_SUM_UNDECIDED : 0;
        }
        products[g] = product;
        product = secp256k1_fe8_mul_loose(product, sums[g].z);
    }
    fe8 inverse = secp256k1_fe8_inverse_var(product, &has_zero);
    for (int g = lanes->groups - 1; g >= 0; g--) {
        const int first = 8 * g,
                  indices[8] = {first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7};
        write_affine(work, &sums[g], secp256k1_fe8_mul_loose(inverse, products[g]), indices, 8, 1);
        inverse = secp256k1_fe8_mul_loose(inverse, sums[g].z);
    }
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

static void sum_complete_var(const secp256k1_sum_work *work, const int *indices, int count) {
    const sum8_work lanes = lanes_of(work);
    ge8_jacobian sum;
    uint8_t infinite;
    add_spread(&sum, &infinite, &lanes, indices, count, 1);
    finish_spread(work, &sum, infinite, indices, count);
}

static void build_table_var(secp256k1_affine *table, const secp256k1_affine *p, int bits) {
    secp256k1_group_adx.build_table_var(table, p, bits);
}

static int multiply_add_var(secp256k1_affine *r, const u256 *u, const u256 *w, const secp256k1_affine *p,
        const secp256k1_affine *generator) {
    return secp256k1_group_adx.multiply_add_var(r, u, w, p, generator);
}

const secp256k1_group secp256k1_group_avx512 = {
        build_table_var, terms_var, sum_var, sum_complete_var, multiply_add_var};
