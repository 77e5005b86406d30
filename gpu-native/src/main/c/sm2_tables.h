/*
 * Tables of the odd multiples of a point, with which a known point is multiplied by additions alone.
 *
 * For windows of w bits, m of them (signed_windows.h), entry j * 2^(w-1) + i is the affine point (2 i + 1) 2^(w j) P.
 */
#ifndef SEALBOOK_SM2_TABLES_H
#define SEALBOOK_SM2_TABLES_H

#include "sm2_ge.h"
#include "signed_windows.h"

/*
 * Windows of a key's table: 29 windows of 256 points, 464 KiB. Windows of the generator's: 20 of 4,096 points, 5 MiB.
 */
#define SM2_TABLES_KEY_BITS 9
#define SM2_TABLES_GENERATOR_BITS 13

/* Tables are aligned so that no entry, 64 bytes, straddles two cache lines. */
#define SM2_TABLES_ALIGNMENT 64

/*
 * How coordinates are written: times 2^256 mod p for portable code, times 2^260 mod p for code over limbs of 52 bits.
 * Either way four limbs of 64 bits, fully reduced.
 */
typedef enum { SM2_TABLES_TIMES_2_256, SM2_TABLES_TIMES_2_260 } sm2_tables_form;

/* Returns how many entries a table has, for 2 <= bits <= 16. */
static inline size_t sm2_tables_entries(int bits) {
    return (size_t)signed_windows_count(bits) << (bits - 1);
}

/*
 * Fills a table of sm2_tables_entries(bits) entries, which stays the caller's. p is on the curve, in the portable form.
 * About half a millisecond for a key.
 */
void sm2_tables_build_var(sm2_ge_affine *table, const sm2_ge_affine *p, int bits, sm2_tables_form form);

#endif
