/*
 * The group of secp256k1, y^2 = x^3 + 7 over the field of secp256k1_fe.h (SEC 2, 2.4.1), of prime order n; for public
 * data: time depends on values.
 *
 * An affine point is never the point at infinity; a Jacobian point (x, y, z) is (x / z^2, y / z^3), and for
 * infinity when z = 0. The same code is compiled for every processor and for MULX and ADX; on AVX-512
 * sums have code of their own; secp256k1_group_best chooses.
 */
#ifndef SEALBOOK_SECP256K1_GROUP_H
#define SEALBOOK_SECP256K1_GROUP_H

#include <stddef.h>

#include "secp256k1_fe.h"

/* Coordinates are below p in tables and public keys. */
typedef struct {
    u256 x, y;
} secp256k1_affine;

typedef struct {
    u256 x, y, z;
} secp256k1_jacobian;

/*
 * Windows (signed_windows.h) of a key's table: 29 windows of 256 points, 464 KiB. Windows of the generator's: 20 of
 * 4,096 points, 5 MiB.
 */
#define SECP256K1_KEY_BITS 9
#define SECP256K1_GENERATOR_BITS 13

#define SECP256K1_KEY_WINDOWS 29
#define SECP256K1_GENERATOR_WINDOWS 20

/* Points of a table: entry j * 2^(bits-1) + i is (2 i + 1) 2^(bits j) P. */
#define SECP256K1_KEY_ENTRIES (SECP256K1_KEY_WINDOWS << (SECP256K1_KEY_BITS - 1))
#define SECP256K1_GENERATOR_ENTRIES (SECP256K1_GENERATOR_WINDOWS << (SECP256K1_GENERATOR_BITS - 1))

/* Sums that one call takes at most, terms of a sum, and bytes of scratch memory that a call needs, aligned to 64. */
#define SECP256K1_SUM_COUNT_MAX 128
#define SECP256K1_SUM_TERMS (SECP256K1_KEY_WINDOWS + SECP256K1_GENERATOR_WINDOWS)
#define SECP256K1_SUM_SCRATCH_SIZE (SECP256K1_SUM_COUNT_MAX * SECP256K1_SUM_TERMS * 160)

/* Whether there is a sum; undecided when two points that formulas would add have the same x. */
enum { SECP256K1_SUM_DONE = 0, SECP256K1_SUM_INFINITE = 1, SECP256K1_SUM_UNDECIDED = 2 };

/*
 * sums[i] = the i-th sum of SECP256K1_SUM_TERMS points, coordinates below p, for i < count, where states[i] becomes
 * SECP256K1_SUM_DONE, and meaningless elsewhere. terms[k * stride + i] is the address of the k-th point of sum i, plus
 * 1 when its opposite is meant; stride is count rounded up to a multiple of 8, what is between count and stride is
 * valid, too, and sums and states have room for stride.
 */
typedef struct {
    const uint64_t *terms;
    int count, stride;
    secp256k1_affine *sums;
    uint8_t *states;
    void *scratch;
} secp256k1_sum_work;

/* What u G + w P is made of: 0 < u, w < n. */
typedef struct {
    const u256 *u, *w;
    const secp256k1_affine *point;
} secp256k1_factors;

/*
 * sums[i] = u G + w P of factors[i], for points P without a table, where states[i] becomes SECP256K1_SUM_DONE; else it
 * becomes SECP256K1_SUM_INFINITE. 1 <= count <= SECP256K1_SUM_COUNT_MAX; sums and states have room for count rounded up
 * to a multiple of 8. generator is the table of G; scratch is that of a sum.
 */
typedef struct {
    const secp256k1_factors *factors;
    int count;
    const secp256k1_affine *generator;
    secp256k1_affine *sums;
    uint8_t *states;
    void *scratch;
} secp256k1_multiply_work;

typedef struct {
    /* Fills a table of the entries above; p is on the curve, bits 2..16. */
    void (*build_table_var)(secp256k1_affine *table, const secp256k1_affine *p, int bits);

    /* terms[j * stride + i] = the term of window j of k[i] P (comb_terms.h), for i < 8 and tables[i], that of P. */
    void (*terms_var)(uint64_t *terms, int stride, const u256 *const k[8], const uint64_t tables[8], int bits);

    void (*sum_var)(const secp256k1_sum_work *work);

    /*
     * The sums with these indices, 1 <= count <= SECP256K1_SUM_COUNT_MAX of them, by complete formulas and one
     * inversion: none is undecided.
     */
    void (*sum_complete_var)(const secp256k1_sum_work *work, const int *indices, int count);

    void (*multiply_var)(const secp256k1_multiply_work *work);

    /*
     * r = u G + w P, complete for all u, w < n, coordinates below p. generator is the table of G. Returns 0, and r is
     * meaningless, when the sum is infinity; else 1.
     */
    int (*multiply_add_var)(secp256k1_affine *r, const u256 *u, const u256 *w, const secp256k1_affine *p,
            const secp256k1_affine *generator);
} secp256k1_group;

extern const secp256k1_group secp256k1_group_portable;
/* These need MULX and ADX, and AVX-512 IFMA besides. */
extern const secp256k1_group secp256k1_group_adx;
extern const secp256k1_group secp256k1_group_avx512;

/* Returns the code number 0, 1 or 2 of those above, from slow to fast; NULL when this processor cannot run it. */
const secp256k1_group *secp256k1_group_of(int number);

/* Returns the fastest code that this processor can run. */
const secp256k1_group *secp256k1_group_best(void);

extern const secp256k1_affine secp256k1_generator;

/* Returns 1 when both coordinates are below p and the point lies on the curve, else 0. */
int secp256k1_is_on_curve_var(const secp256k1_affine *a);

#endif
