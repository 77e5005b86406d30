/*
 * s G + t P for points P that have no table, up to 128 in a call: P's part in doublings over a small table made on
 * the way, G's part from G's table.
 *
 * The formulas over AVX-512 fail where a partial sum meets the point added to it, or its opposite. As for sm2_sum.h
 * such a result is reported as undecided; so is a result that is the point at infinity. The last digit of t P is added
 * after all of s G, so that only the owner of a private key can construct such a case. The other code is complete and
 * decides everything.
 */
#ifndef SEALBOOK_SM2_MULTIPLY_H
#define SEALBOOK_SM2_MULTIPLY_H

#include "sm2_sum.h"
#include "sm2_tables.h"

#define SM2_MULTIPLY_COUNT 128
#define SM2_MULTIPLY_SCRATCH_SIZE (384 * 1024)

/*
 * verdicts[i] is, in the manner of sm2_sum.h, whether the x of s[i] G + t[i] P[i] is expected_x[i] mod n. Scalars
 * are 1..n-1, points in the portable form; generator is G's table of SM2_TABLES_GENERATOR_BITS in the form named.
 * verdicts has room for count rounded up to a multiple of 8, of which the first count are wanted. scratch has
 * SM2_MULTIPLY_SCRATCH_SIZE bytes and is aligned to 64.
 */
typedef struct {
    const u256 *s[SM2_MULTIPLY_COUNT], *t[SM2_MULTIPLY_COUNT], *expected_x[SM2_MULTIPLY_COUNT];
    const sm2_ge_affine *point[SM2_MULTIPLY_COUNT];
    const sm2_ge_affine *generator;
    sm2_tables_form form;
    uint8_t *verdicts;
    void *scratch;
} sm2_multiply_work;

/* Table in either form; the second needs MULX and ADX. Only the first count inputs are read, and no scratch memory. */
void sm2_multiply_portable_var(const sm2_multiply_work *work, int count);
void sm2_multiply_adx_var(const sm2_multiply_work *work, int count);

/*
 * Table in the form SM2_TABLES_TIMES_2_260; needs AVX-512 IFMA and VBMI2. Inputs up to the next multiple of 8 are
 * valid. Every eight cost the same, the first eight a little more.
 */
void sm2_multiply_avx512_var(const sm2_multiply_work *work, int count);

/* As above by complete formulas, which take a tenth more; nothing is undecided. */
void sm2_multiply_complete_avx512_var(const sm2_multiply_work *work, int count);

#endif
