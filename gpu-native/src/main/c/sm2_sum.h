/*
 * Many sums of affine points at a time, each sum of the same number of terms.
 *
 * The terms of a sum are added as a tree: on every level all additions of all sums share one inversion, so an addition
 * costs five multiplications and a squaring. That formula fails where two points on the tree have the same x. Honest
 * scalars do not meet this case; the owner of a private key can construct it. Such a sum is reported as undecided and
 * the others stay right. Complete formulas decide it, which take twice as many multiplications for each addition.
 */
#ifndef SEALBOOK_SM2_SUM_H
#define SEALBOOK_SM2_SUM_H

#include "sm2_ge.h"
#include "sm2_tables.h"

/* Sums that one call takes at most, and terms of a sum. */
#define SM2_SUM_COUNT_MAX 128
#define SM2_SUM_TERMS_MAX 64

/* Bytes of scratch memory that a call needs, aligned to 64. */
#define SM2_SUM_SCRATCH_SIZE (SM2_SUM_COUNT_MAX * SM2_SUM_TERMS_MAX * 160)

/* Whether the x of a sum is the expected one; undecided when the formulas say nothing about it. */
enum { SM2_SUM_DIFFERENT = 0, SM2_SUM_EQUAL = 1, SM2_SUM_UNDECIDED = 2 };

/*
 * verdicts[i] is whether the x of the i-th sum, reduced mod n, is *expected_x[i], a plain integer below n.
 *
 * terms[k * stride + i], for k < term_count and i < count, is the address of the k-th point of sum i, plus 1 when its
 * opposite is meant. Points are aligned to 64 bytes, in the form that the implementation requires. 1 <= count <=
 * SM2_SUM_COUNT_MAX; stride is count rounded up to a multiple of 8, what lies between count and stride is valid, too,
 * and verdicts has room for stride.
 */
typedef struct {
    const uint64_t *terms;
    int term_count, count, stride;
    const u256 *const *expected_x;
    uint8_t *verdicts;
    void *scratch;
} sm2_sum_work;

/* Points in the form SM2_TABLES_TIMES_2_256; the second needs MULX and ADX. */
void sm2_sum_portable_var(const sm2_sum_work *work);
void sm2_sum_adx_var(const sm2_sum_work *work);

/* Points in the form SM2_TABLES_TIMES_2_260; needs AVX-512 IFMA and VBMI2. */
void sm2_sum_avx512_var(const sm2_sum_work *work);

/* The verdict on sum i alone, never undecided. Points in the form given; the second needs MULX and ADX. */
int sm2_sum_complete_portable_var(const sm2_sum_work *work, int i, sm2_tables_form form);
int sm2_sum_complete_adx_var(const sm2_sum_work *work, int i, sm2_tables_form form);

/*
 * Decides the sums with these indices, 1 <= count <= 8 of them, all at the price of two or three alone. Points in the
 * form SM2_TABLES_TIMES_2_260; needs AVX-512 IFMA and VBMI2.
 */
void sm2_sum_complete_avx512_var(const sm2_sum_work *work, const int *indices, int count);

#endif
