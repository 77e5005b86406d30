/*
 * What a fuzzer feeds to sm2_verify.h: bytes become a batch of records, every backend gives its verdicts, and each must
 * be what the definition says.
 *
 * A record takes 130 bytes of input: 0 how it is made, 1 which key and whether its table is given, 2 r, 34 s, 66 the
 * message; what is missing reads as zeros. So that a fuzzer meets valid signatures, too, the first byte can ask for e
 * to be made fit.
 */
#ifndef SEALBOOK_SM2_VERIFY_FUZZ_H
#define SEALBOOK_SM2_VERIFY_FUZZ_H

#include "sm2_fixture.h"

#define FUZZ_RECORDS_MAX 40
#define FUZZ_RECORD_LENGTH 130
#define FUZZ_KEYS 4

typedef struct {
    sm2_ge_affine *generator;
    fixture_key keys[FUZZ_KEYS];
    void *scratch;
} fuzz_backend;

static fuzz_backend fuzz_backends[SM2_VERIFY_AVX512 + 1];

/* Private keys 1, 2, 3 and n - 2: their tables have points in common with each other and with G's. */
static inline void fuzz_prepare(void) {
    for (sm2_verify_backend b = SM2_VERIFY_PORTABLE; b <= sm2_verify_best_backend(); b++) {
        if (fuzz_backends[b].scratch == NULL) {
            fuzz_backends[b].generator = fixture_table(&sm2_ge_generator, SM2_TABLES_GENERATOR_BITS, b);
            fuzz_backends[b].scratch = fixture_memory(SM2_VERIFY_SCRATCH_SIZE);
            for (uint64_t i = 0; i < FUZZ_KEYS; i++) {
                u256 d = {{i + 1, 0, 0, 0}}, two = {{2, 0, 0, 0}};
                if (i == FUZZ_KEYS - 1) {
                    u256_sub(&d, &sm2_ge_order, &two);
                }
                check_random_state = i + 1;
                fuzz_backends[b].keys[i] = fixture_key_of(&d, b);
            }
        }
    }
}

/* GB/T 32918.2, 7.1, with e given, by complete formulas. */
static inline int fuzz_is_valid(const sm2_verify_record *record, const uint8_t e_bytes[32]) {
    const sm2_verify_key *key = (const sm2_verify_key *)(uintptr_t)record->key;
    u256 r, s, t, e, x;
    sm2_ge_jacobian sum;
    sm2_ge_affine affine;
    u256_from_bytes(&r, record->r);
    u256_from_bytes(&s, record->s);
    u256_from_bytes(&e, e_bytes);
    if (u256_is_zero(&r) || u256_is_zero(&s) || !u256_is_less(&r, &sm2_ge_order) || !u256_is_less(&s, &sm2_ge_order)) {
        return 0;
    }
    u256_add_mod(&t, &r, &s, &sm2_ge_order);
    if (u256_is_zero(&t)) {
        return 0;
    }
    reference_multiply_add(&sum, &s, &t, &key->point);
    if (u256_is_zero(&sum.z)) {
        return 0;
    }
    sm2_ge_to_affine_var(&affine, &sum, 1);
    sm2_fe_to_integer(&x, &affine.x);
    u256_reduce_once(&x, &x, &sm2_ge_order);
    u256_reduce_once(&e, &e, &sm2_ge_order);
    u256_add_mod(&x, &x, &e, &sm2_ge_order);
    return (int)u256_is_equal(&x, &r);
}

/* Makes one record of 130 bytes; returns its state before. */
static inline uint8_t fuzz_record(sm2_verify_record *record, const uint8_t *bytes, const fuzz_backend *backend) {
    const fixture_key *key = &backend->keys[bytes[1] % FUZZ_KEYS];
    int has_table = bytes[1] >> 7;
    if (bytes[0] % 4 == 0) {
        u256 r, s, t;
        u256_from_bytes(&r, bytes + 2);
        u256_from_bytes(&s, bytes + 34);
        u256_reduce_once(&r, &r, &sm2_ge_order);
        u256_reduce_once(&s, &s, &sm2_ge_order);
        u256_add_mod(&t, &r, &s, &sm2_ge_order);
        fixture_record(record, key, &s, &t, has_table);
        return SM2_VERIFY_GIVEN_E;
    }
    memcpy(record->r, bytes + 2, 32);
    memcpy(record->s, bytes + 34, 32);
    memcpy(record->message, bytes + 66, SM2_VERIFY_MESSAGE_LENGTH);
    record->key = (uint64_t)(uintptr_t)key->key;
    record->table = has_table ? (uint64_t)(uintptr_t)key->table : 0;
    return bytes[0] % 4 == 1 ? SM2_VERIFY_GIVEN_E : SM2_VERIFY_GIVEN_MESSAGE;
}

/* Returns how many verdicts are wrong: 0, or a bug is found. */
static inline int fuzz_one(const uint8_t *input, size_t length) {
    static uint8_t bytes[FUZZ_RECORDS_MAX * FUZZ_RECORD_LENGTH];
    static sm2_verify_record records[FUZZ_RECORDS_MAX];
    uint8_t states[FUZZ_RECORDS_MAX], expected[FUZZ_RECORDS_MAX];
    int wrong = 0;
    fuzz_prepare();
    length = length < sizeof bytes ? length : sizeof bytes;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, input, length);
    int count = (int)((length + FUZZ_RECORD_LENGTH - 1) / FUZZ_RECORD_LENGTH);
    for (sm2_verify_backend b = SM2_VERIFY_PORTABLE; b <= sm2_verify_best_backend(); b++) {
        for (int i = 0; i < count; i++) {
            states[i] = fuzz_record(&records[i], bytes + i * FUZZ_RECORD_LENGTH, &fuzz_backends[b]);
            uint8_t digest[1][32];
            const uint8_t *z = ((const sm2_verify_key *)(uintptr_t)records[i].key)->z, *message = records[i].message;
            sm3_sm2_digests(digest, &z, &message, SM2_VERIFY_MESSAGE_LENGTH, 1);
            expected[i] = (uint8_t)fuzz_is_valid(&records[i], states[i] == SM2_VERIFY_GIVEN_E ? message : digest[0]);
        }
        sm2_verify_var(records, states, count, fuzz_backends[b].generator, b, fuzz_backends[b].scratch);
        for (int i = 0; i < count; i++) {
            wrong += states[i] != expected[i];
        }
    }
    return wrong;
}

#endif
