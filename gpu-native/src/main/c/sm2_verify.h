/*
 * SM2 signature verification in batches, GB/T 32918.2, 7.1: with t = r + s mod n, r = e + x(s G + t P) mod n.
 *
 * A key that has a table costs additions alone; any other key costs doublings too. Public data only: time depends on
 * them.
 */
#ifndef SEALBOOK_SM2_VERIFY_H
#define SEALBOOK_SM2_VERIFY_H

#include "sm2_sum.h"
#include "sm2_tables.h"

#define SM2_VERIFY_MESSAGE_LENGTH 48

/* A public key: its point in portable form, and Z of its owner. */
typedef struct {
    sm2_ge_affine point;
    uint8_t z[32];
    uint8_t reserved[32];
} sm2_verify_key;

/*
 * One signature to be verified.
 *
 *   offset  length  meaning
 *   0       32      r, big-endian
 *   32      32      s, big-endian
 *   64      48      the message, or e in its first 32 bytes, big-endian
 *   112     8       address of the key, an sm2_verify_key
 *   120     8       address of the key's table, in the backend's form; 0 when it has none
 */
typedef struct {
    uint8_t r[32], s[32];
    uint8_t message[SM2_VERIFY_MESSAGE_LENGTH];
    uint64_t key, table;
} sm2_verify_record;

/* What states hold: before, what a record's message is; after, the verdict. */
enum { SM2_VERIFY_GIVEN_E = 0, SM2_VERIFY_GIVEN_MESSAGE = 1, SM2_VERIFY_GIVEN_NOTHING = 2 };
enum { SM2_VERIFY_INVALID = 0, SM2_VERIFY_VALID = 1 };

/*
 * Which code does the work, from slow to fast: what every processor can run, what needs MULX and ADX, what needs
 * AVX-512 IFMA.
 */
typedef enum { SM2_VERIFY_PORTABLE = 0, SM2_VERIFY_ADX = 1, SM2_VERIFY_AVX512 = 2 } sm2_verify_backend;

/* Returns the fastest backend that this processor and its operating system can run; it can run all slower ones. */
sm2_verify_backend sm2_verify_best_backend(void);

static inline sm2_tables_form sm2_verify_table_form(sm2_verify_backend backend) {
    return backend == SM2_VERIFY_AVX512 ? SM2_TABLES_TIMES_2_260 : SM2_TABLES_TIMES_2_256;
}

/* Bytes of scratch memory that a call needs, aligned to 64. */
#define SM2_VERIFY_SCRATCH_SIZE (SM2_SUM_SCRATCH_SIZE + SM2_SUM_COUNT_MAX * (SM2_SUM_TERMS_MAX * 8 + 1024))

/*
 * Fills a key from x || y, big-endian, and Z. Returns 0, and the key is unusable, when the point is not on the curve;
 * else 1.
 */
int sm2_verify_key_init(sm2_verify_key *key, const uint8_t point[64], const uint8_t z[32]);

/*
 * Verifies count records, any number; states[i] is the kind of record i and receives its verdict. Returns how many
 * are valid.
 *
 * generator is the table of G with SM2_TABLES_GENERATOR_BITS in the backend's form. All memory stays the caller's;
 * records must be aligned to 8, and keys and tables to 64 bytes. Thread-safe with separate scratch memory.
 */
int sm2_verify_var(const sm2_verify_record *records, uint8_t *states, int count, const sm2_ge_affine *generator,
        sm2_verify_backend backend, void *scratch);

#endif
