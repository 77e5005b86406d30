/*
 * Which entries of a table of odd multiples (sm2_tables.h) make up k P: one term for each window of k, the address of
 * an entry, plus 1 when its opposite is meant. Of both curves.
 *
 * Entries are asked for from memory as soon as they are known: the additions come several microseconds later.
 */
#ifndef SEALBOOK_COMB_TERMS_H
#define SEALBOOK_COMB_TERMS_H

#include "signed_windows.h"

/* An entry is an affine point of two coordinates. */
#define COMB_ENTRY_SIZE (2 * sizeof(u256))

/* terms[j * stride] = the term of window j of 1 <= k < n. table is the address of entry 0, bits the window's. */
static inline __attribute__((always_inline)) void comb_terms_of(
        uint64_t *terms, int stride, const u256 *k, uint64_t table, const u256 *n, int bits) {
    signed_windows windows;
    signed_windows_of(&windows, k, n, bits);
    const unsigned half = 1u << (bits - 1);
    for (int j = 0; j < signed_windows_count(bits); j++) {
        unsigned window = signed_windows_bits(&windows, j, bits);
        unsigned is_negative = window < half;
        unsigned entry = is_negative ? half - 1 - window : window - half;
        uint64_t address = table + (((uint64_t)(unsigned)j << (bits - 1)) + entry) * COMB_ENTRY_SIZE;
        __builtin_prefetch((const void *)(uintptr_t)address);
        terms[j * stride] = address | (is_negative ^ windows.is_negated);
    }
}

/* The same for eight scalars in lanes: terms[j * stride + lane]. Needs AVX-512 IFMA and VBMI2. */
void comb_terms_of_8(
        uint64_t *terms, int stride, const u256 *const k[8], const uint64_t tables[8], const u256 *n, int bits);

#endif
