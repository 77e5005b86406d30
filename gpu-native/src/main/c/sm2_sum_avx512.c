#include "sm2_ge8.h"

#include <string.h>

#include "sum8_body.h"

_Static_assert(SUM8_MEMORY_SIZE <= 8 * 160, "scratch memory is too small");
_Static_assert(SUM8_MET == SM2_SUM_UNDECIDED, "marks become verdicts");

static sum8_work lanes_of(const sm2_sum_work *work) {
    return (sum8_work){work->terms, work->term_count, work->stride / 8, work->verdicts, work->scratch};
}

/* Compares sums that are spread over the lanes, and writes the verdicts on these indices. */
static void compare_spread(
        const sm2_sum_work *work, const ge8_jacobian *sum, uint8_t infinite, const int *indices, int count) {
    const u256 *expected_x[8];
    uint8_t verdicts[8];
    const int spread = spread_of(count);
    for (int lane = 0; lane < 8; lane++) {
        expected_x[lane] = work->expected_x[indices[lane / spread < count ? lane / spread : count - 1]];
    }
    sm2_ge8_compare(verdicts, sum, expected_x);
    for (int i = 0; i < count; i++) {
        work->verdicts[indices[i]] = infinite >> i * spread & 1 ? SM2_SUM_DIFFERENT : verdicts[i * spread];
    }
}

void sm2_sum_avx512_var(const sm2_sum_work *work) {
    const sum8_work lanes = lanes_of(work);
    ge8_jacobian sum;
    if (work->count <= SPREAD_MAX) {
        static const int indices[SPREAD_MAX] = {0, 1, 2, 3};
        uint8_t infinite;
        add_spread(&sum, &infinite, &lanes, indices, work->count, 0);
        compare_spread(work, &sum, infinite, indices, work->count);
        return;
    }
    const int left = add_as_tree(&lanes);
    for (int g = 0; g < lanes.groups; g++) {
        uint8_t verdicts[8];
        add_the_rest(&sum, left, g, &lanes);
        sm2_ge8_compare(verdicts, &sum, work->expected_x + 8 * g);
        for (int lane = 0; lane < 8; lane++) {
            if (work->verdicts[8 * g + lane] != SM2_SUM_UNDECIDED) {
                work->verdicts[8 * g + lane] = verdicts[lane];
            }
        }
    }
}

void sm2_sum_complete_avx512_var(const sm2_sum_work *work, const int *indices, int count) {
    const sum8_work lanes = lanes_of(work);
    ge8_jacobian sum;
    uint8_t infinite;
    add_spread(&sum, &infinite, &lanes, indices, count, 1);
    compare_spread(work, &sum, infinite, indices, count);
}
