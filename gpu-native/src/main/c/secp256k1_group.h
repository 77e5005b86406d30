/*
 * The group of secp256k1, y^2 = x^3 + 7 over the field of secp256k1_fe.h (SEC 2, 2.4.1), of prime order n; for public
 * data: time depends on values.
 *
 * An affine point is never the point at infinity; a Jacobian point (x, y, z) is (x / z^2, y / z^3), and for
 * infinity when z = 0. The same code is compiled for every x86-64 and for MULX and ADX; secp256k1_group_best chooses.
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
 * Windows (signed_windows.h) of a key's table: 29 windows of 256 points, 464 KiB. Windows of the generator's: 20 of 4,096
 * points, 5 MiB.
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
#define SECP256K1_SUM_SCRATCH_SIZE (SECP256K1_SUM_COUNT_MAX * SECP256K1_SUM_TERMS * 128)

/*
 * sums[i] = the i-th sum of SECP256K1_SUM_TERMS points, coordinates below p, for i < count; or undecided[i] = 1, and
 * sums[i] is meaningless, where two points on the tree of additions have the same x. terms[k * count + i] is the
 * address of the k-th point of sum i, plus 1 when its opposite is meant.
 */
typedef struct {
    const uint64_t *terms;
    int count;
    secp256k1_affine *sums;
    uint8_t *undecided;
    void *scratch;
} secp256k1_sum_work;

typedef struct {
    /* Fills a table of the entries above; p is on the curve, bits 2..16. */
    void (*build_table_var)(secp256k1_affine *table, const secp256k1_affine *p, int bits);

    void (*sum_var)(const secp256k1_sum_work *work);

    /*
     * *r = sum i by complete formulas, coordinates below p. Returns 0, and r is meaningless, when the sum is infinity;
     * else 1.
     */
    int (*sum_complete_var)(secp256k1_affine *r, const secp256k1_sum_work *work, int i);

    /*
     * r = u G + w P, complete for all u, w < n, coordinates below p. generator is the table of G. Returns 0, and r is
     * meaningless, when the sum is infinity; else 1.
     */
    int (*multiply_add_var)(secp256k1_affine *r, const u256 *u, const u256 *w, const secp256k1_affine *p,
            const secp256k1_affine *generator);
} secp256k1_group;

extern const secp256k1_group secp256k1_group_portable;
extern const secp256k1_group secp256k1_group_adx;

/* Returns the fastest code that this processor can run. */
const secp256k1_group *secp256k1_group_best(void);

extern const secp256k1_affine secp256k1_generator;

/* Returns 1 when both coordinates are below p and the point lies on the curve, else 0. */
int secp256k1_is_on_curve_var(const secp256k1_affine *a);

#endif
