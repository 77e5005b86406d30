/*
 * Multiples of the base point of the SM2 curve for many secret scalars, eight side by side on AVX-512 IFMA;
 * fixed_base.h has the method.
 *
 * Entries are chosen by permutations of registers, so that no address depends on a scalar.
 */
#ifndef SEALBOOK_SM2_BASE_AVX512_H
#define SEALBOOK_SM2_BASE_AVX512_H

#include "u256.h"

#define SM2_BASE_AVX512_LANES 8
#define SM2_BASE_AVX512_COUNT_MAX 64

/* Makes the table from sm2_base_table; must have returned before the first multiplication. */
void sm2_base_avx512_prepare(void);

/*
 * x[i] = the first coordinate of k[i] G, an integer below p, for 1 <= k[i] < n; count is a multiple of 8, at most 64.
 * Returns 0, and x is meaningless, for a few k that an attacker cannot choose; else 1.
 */
int sm2_base_avx512_multiply(u256 *x, const u256 *k, int count);

#endif
