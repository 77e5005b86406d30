/*
 * ECDSA verification on secp256k1 in batches, SEC 1, 4.1.4, and recovery of the key, 4.1.6: R = (e / s) G + (r / s) P,
 * x(R) mod n = r.
 *
 * Valid also means: s <= (n - 1) / 2, and the recovery byte v is that of R: bit 0 the parity of y(R), bit 1 whether
 * x(R) >= n. A key that has a table costs additions alone; any other key costs doublings too. Public data only: time
 * depends on them.
 */
#ifndef SEALBOOK_SECP256K1_VERIFY_H
#define SEALBOOK_SECP256K1_VERIFY_H

#include "secp256k1_group.h"

#define SECP256K1_VERIFY_MESSAGE_LENGTH 48

/* A public key; coordinates below p, on the curve. */
typedef struct {
    secp256k1_affine point;
} secp256k1_verify_key;

/*
 * One signature to be verified; laid out as sm2_verify_record.
 *
 *   offset  length  meaning
 *   0       32      r, big-endian
 *   32      32      s, big-endian
 *   64      48      the message, or e = SHA-256(message) in its first 32 bytes, big-endian
 *   112     8       address of the key, a secp256k1_verify_key
 *   120     8       address of the key's table; 0 when it has none
 */
typedef struct {
    uint8_t r[32], s[32];
    uint8_t message[SECP256K1_VERIFY_MESSAGE_LENGTH];
    uint64_t key, table;
} secp256k1_verify_record;

/*
 * What states hold: before, what a record's message is, in the low half of the byte, and v in its high half (a record
 * whose v is not in 0..3 is GIVEN_NOTHING); after, the verdict.
 */
enum { SECP256K1_VERIFY_GIVEN_E = 0, SECP256K1_VERIFY_GIVEN_MESSAGE = 1, SECP256K1_VERIFY_GIVEN_NOTHING = 2 };
enum { SECP256K1_VERIFY_INVALID = 0, SECP256K1_VERIFY_VALID = 1 };
#define SECP256K1_VERIFY_V_SHIFT 4

/* Bytes of scratch memory that a call needs, aligned to 64. */
#define SECP256K1_VERIFY_SCRATCH_SIZE \
    (SECP256K1_SUM_SCRATCH_SIZE + SECP256K1_SUM_COUNT_MAX * (SECP256K1_SUM_TERMS * 8 + 512))

/*
 * Fills a key from x || y, big-endian. Returns 0, and the key is unusable, when the point is not on the curve; else 1.
 */
int secp256k1_verify_key_init(secp256k1_verify_key *key, const uint8_t point[64]);

/*
 * Verifies count records, any number; states[i] is the kind of record i and receives its verdict. Returns how many
 * are valid.
 *
 * generator is the table of G with SECP256K1_GENERATOR_BITS, as build_table_var of any secp256k1_group makes it. All
 * memory stays the caller's; records must be aligned to 8, keys and tables to 64 bytes. Thread-safe with separate
 * scratch memory.
 */
int secp256k1_verify_var(const secp256k1_verify_record *records, uint8_t *states, int count,
        const secp256k1_affine *generator, const secp256k1_group *group, void *scratch);

/*
 * Writes x || y of the only key under which the signature of the digest e is valid; returns 0, and writes nothing, when
 * no key accepts it: r or s out of range, s above (n-1)/2, v not in 0..3, or no such point.
 */
int secp256k1_recover_var(uint8_t point[64], const uint8_t signature[65], const uint8_t e[32],
        const secp256k1_affine *generator, const secp256k1_group *group);

#endif
