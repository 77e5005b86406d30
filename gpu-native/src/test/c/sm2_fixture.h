/* Keys, tables and signatures for the tests and benchmarks of verification: all from check_random, nothing secret. */
#ifndef SEALBOOK_SM2_FIXTURE_H
#define SEALBOOK_SM2_FIXTURE_H

#include <stdlib.h>

#include "check.h"
#include "sm2_reference.h"
#include "sm2_verify.h"
#include "sm3.h"
#include "u256_inverse.h"

static inline void *fixture_memory(size_t size) {
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory == NULL) {
        abort();
    }
    memset(memory, 0xA5, (size + 63) / 64 * 64);
    return memory;
}

/* A private key, its public key, and a table of it. */
typedef struct {
    u256 d;
    sm2_verify_key *key;
    sm2_ge_affine *table;
} fixture_key;

static inline sm2_ge_affine *fixture_table(const sm2_ge_affine *point, int bits, sm2_verify_backend backend) {
    sm2_ge_affine *table = fixture_memory(sm2_tables_entries(bits) * sizeof *table);
    sm2_tables_build_var(table, point, bits, sm2_verify_table_form(backend));
    return table;
}

/* Makes the key of d. */
static inline fixture_key fixture_key_of(const u256 *d, sm2_verify_backend backend) {
    static const u256 zero;
    fixture_key r = {*d, fixture_memory(sizeof(sm2_verify_key)), NULL};
    sm2_ge_jacobian jacobian;
    sm2_ge_affine affine;
    u256 x, y;
    uint8_t point[64], z[32];
    reference_multiply_add(&jacobian, d, &zero, &sm2_ge_generator);
    sm2_ge_to_affine_var(&affine, &jacobian, 1);
    sm2_fe_to_integer(&x, &affine.x);
    sm2_fe_to_integer(&y, &affine.y);
    u256_to_bytes(point, &x);
    u256_to_bytes(point + 32, &y);
    for (int i = 0; i < 32; i++) {
        z[i] = (uint8_t)check_random();
    }
    CHECK(sm2_verify_key_init(r.key, point, z));
    r.table = fixture_table(&r.key->point, SM2_TABLES_KEY_BITS, backend);
    return r;
}

static inline fixture_key fixture_random_key(sm2_verify_backend backend) {
    u256 d;
    check_random_below(&d, &sm2_ge_order);
    d.w[0] |= 2;
    return fixture_key_of(&d, backend);
}

static inline void fixture_free(fixture_key *key) {
    free(key->key);
    free(key->table);
}

/*
 * A record for which x(s G + t P) is what it is: e = t - s - x makes it valid. Returns 0 when there is no such record
 * because r would be 0 or the sum is infinity.
 */
static inline int fixture_record(
        sm2_verify_record *record, const fixture_key *key, const u256 *s, const u256 *t, int has_table) {
    sm2_ge_jacobian jacobian;
    sm2_ge_affine affine;
    u256 r, e, x;
    memset(record, 0, sizeof *record);
    u256_sub_mod(&r, t, s, &sm2_ge_order);
    reference_multiply_add(&jacobian, s, t, &key->key->point);
    int is_infinity = (int)u256_is_zero(&jacobian.z);
    if (is_infinity) {
        x = r;
    } else {
        sm2_ge_to_affine_var(&affine, &jacobian, 1);
        sm2_fe_to_integer(&x, &affine.x);
        u256_reduce_once(&x, &x, &sm2_ge_order);
    }
    u256_sub_mod(&e, &r, &x, &sm2_ge_order);
    u256_to_bytes(record->r, &r);
    u256_to_bytes(record->s, s);
    u256_to_bytes(record->message, &e);
    record->key = (uint64_t)(uintptr_t)key->key;
    record->table = has_table ? (uint64_t)(uintptr_t)key->table : 0;
    return !is_infinity && !u256_is_zero(&r) && !u256_is_zero(s) && !u256_is_zero(t);
}

/* Signs a message of 48 bytes as GB/T 32918.2, 6.1 says, with a nonce from check_random. */
static inline void fixture_sign(sm2_verify_record *record, const fixture_key *key, const uint8_t message[48]) {
    static const u256 zero, one = {{1, 0, 0, 0}};
    const uint8_t *z = key->key->z;
    uint8_t digest[1][32];
    u256 k, e, x, r, s, t;
    sm2_ge_jacobian jacobian;
    sm2_ge_affine affine;
    sm3_sm2_digests(digest, &z, &message, SM2_VERIFY_MESSAGE_LENGTH, 1);
    u256_from_bytes(&e, digest[0]);
    u256_reduce_once(&e, &e, &sm2_ge_order);
    check_random_below(&k, &sm2_ge_order);
    k.w[0] |= 4;
    reference_multiply_add(&jacobian, &k, &zero, &sm2_ge_generator);
    sm2_ge_to_affine_var(&affine, &jacobian, 1);
    sm2_fe_to_integer(&x, &affine.x);
    u256_reduce_once(&x, &x, &sm2_ge_order);
    u256_add_mod(&r, &e, &x, &sm2_ge_order);
    check_mul_mod(&t, &r, &key->d, &sm2_ge_order);
    u256_sub_mod(&s, &k, &t, &sm2_ge_order);
    u256_add_mod(&t, &key->d, &one, &sm2_ge_order);
    u256_inverse_var(&t, &t, &sm2_ge_order);
    check_mul_mod(&s, &s, &t, &sm2_ge_order);
    memset(record, 0, sizeof *record);
    u256_to_bytes(record->r, &r);
    u256_to_bytes(record->s, &s);
    memcpy(record->message, message, SM2_VERIFY_MESSAGE_LENGTH);
    record->key = (uint64_t)(uintptr_t)key->key;
    record->table = (uint64_t)(uintptr_t)key->table;
}

#endif
