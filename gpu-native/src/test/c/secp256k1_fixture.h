/* Keys, tables and signatures on secp256k1 from a seed. */
#ifndef SEALBOOK_SECP256K1_FIXTURE_H
#define SEALBOOK_SECP256K1_FIXTURE_H

#include <stdlib.h>

#include "check.h"
#include "scalar.h"
#include "secp256k1_sign.h"
#include "secp256k1_verify.h"
#include "sha256.h"

typedef struct {
    secp256k1_signing_key signing;
    secp256k1_verify_key verify;
    secp256k1_affine *table;
} secp256k1_fixture_key;

typedef struct {
    secp256k1_affine *generator;
    void *scratch;
} secp256k1_fixture;

static inline secp256k1_affine *secp256k1_fixture_table(const secp256k1_affine *point, int bits, size_t entries) {
    secp256k1_affine *table = aligned_alloc(64, entries * sizeof *table);
    secp256k1_group_best()->build_table_var(table, point, bits);
    return table;
}

static inline void secp256k1_fixture_init(secp256k1_fixture *fixture) {
    secp256k1_sign_prepare();
    fixture->generator =
            secp256k1_fixture_table(&secp256k1_generator, SECP256K1_GENERATOR_BITS, SECP256K1_GENERATOR_ENTRIES);
    fixture->scratch = aligned_alloc(64, (SECP256K1_VERIFY_SCRATCH_SIZE + 63) / 64 * 64);
}

static inline void secp256k1_fixture_free(secp256k1_fixture *fixture) {
    free(fixture->generator);
    free(fixture->scratch);
}

/* The key of a scalar, with its table. */
static inline void secp256k1_fixture_key_init(
        secp256k1_fixture_key *key, const secp256k1_fixture *fixture, const u256 *d) {
    static const u256 zero = {{0}};
    uint8_t scalar[32];
    u256_to_bytes(scalar, d);
    CHECK(secp256k1_sign_key(&key->signing, scalar));
    CHECK(secp256k1_group_portable.multiply_add_var(
            &key->verify.point, d, &zero, &secp256k1_generator, fixture->generator));
    CHECK(secp256k1_is_on_curve_var(&key->verify.point));
    key->table = secp256k1_fixture_table(&key->verify.point, SECP256K1_KEY_BITS, SECP256K1_KEY_ENTRIES);
}

/* Signs a random message, or a random digest. Returns the state to verify it with. */
static inline uint8_t secp256k1_fixture_record(
        secp256k1_verify_record *record, const secp256k1_fixture_key *key, int is_message) {
    uint8_t e[32], signature[SIGNATURE_LENGTH];
    for (int i = 0; i < SECP256K1_VERIFY_MESSAGE_LENGTH; i++) {
        record->message[i] = (uint8_t)check_random();
    }
    if (is_message) {
        sha256_digest(e, record->message, SECP256K1_VERIFY_MESSAGE_LENGTH);
    } else {
        memcpy(e, record->message, sizeof e);
    }
    secp256k1_sign(signature, &key->signing, e);
    memcpy(record->r, signature, 32);
    memcpy(record->s, signature + 32, 32);
    record->key = (uint64_t)(uintptr_t)&key->verify;
    record->table = (uint64_t)(uintptr_t)key->table;
    return (uint8_t)((is_message ? SECP256K1_VERIFY_GIVEN_MESSAGE : SECP256K1_VERIFY_GIVEN_E)
                     | signature[64] << SECP256K1_VERIFY_V_SHIFT);
}

/* The signature (r, s, v) of the digest e for which R = u G + w P, whoever knows P's logarithm or not. */
static inline uint8_t secp256k1_fixture_forge(const secp256k1_fixture *fixture, secp256k1_verify_record *record,
        const secp256k1_fixture_key *key, u256 u, u256 w) {
    const scalar_order *n = &secp256k1_order;
    secp256k1_affine point;
    u256 r, s, e, t, opposite;
    if (!secp256k1_group_portable.multiply_add_var(&point, &u, &w, &key->verify.point, fixture->generator)) {
        return SECP256K1_VERIFY_GIVEN_NOTHING;
    }
    scalar_reduce(&r, &point.x, n);
    scalar_inverse(&t, &w, n);
    scalar_to_montgomery(&t, &t, n);
    scalar_mul(&s, &r, &t, n);
    scalar_to_montgomery(&t, &u, n);
    scalar_mul(&e, &s, &t, n);
    uint8_t v = (uint8_t)(point.y.w[0] & 1);
    u256_sub(&opposite, &n->n.m, &s);
    /* With n - s the digest n - e names the opposite point. */
    if (u256_is_less(&opposite, &s)) {
        s = opposite;
        v ^= 1;
    }
    memset(record, 0, sizeof *record);
    u256_to_bytes(record->r, &r);
    u256_to_bytes(record->s, &s);
    u256_to_bytes(record->message, &e);
    record->key = (uint64_t)(uintptr_t)&key->verify;
    record->table = (uint64_t)(uintptr_t)key->table;
    return (uint8_t)(v << SECP256K1_VERIFY_V_SHIFT);
}

#endif
