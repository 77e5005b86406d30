/*
 * Signs under valgrind with keys whose bits are undefined: memcheck reports every branch and every address that depends
 * on them. What it reports is counted here, after it has been seen to notice a deliberate leak.
 */
#include <valgrind/memcheck.h>

#include "check.h"
#include "secp256k1_sign.h"
#include "sha256.h"
#include "sign_vectors.h"
#include "sm2_sign.h"

#define ROUNDS 8

static void make_secret(uint8_t scalar[32], int round) {
    for (int i = 0; i < 32; i++) {
        scalar[i] = (uint8_t)check_random();
    }
    scalar[0] &= 0x7F;
    /* Few and many bits, too. */
    if (round < 2) {
        memset(scalar, round == 0 ? 0 : 0x7F, 31);
    }
    VALGRIND_MAKE_MEM_UNDEFINED(scalar, 32);
}

static void should_not_leak_sm2_keys(void) {
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t scalar[32], e[32], signature[SIGNATURE_LENGTH];
        sm2_signing_key key;
        make_secret(scalar, round);
        memset(e, round, sizeof e);
        CHECK(sm2_sign_key(&key, scalar));
        sm2_sign(signature, &key, e);
    }
}

static void should_not_leak_secp256k1_keys(void) {
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t scalar[32], e[32], signature[SIGNATURE_LENGTH];
        secp256k1_signing_key key;
        make_secret(scalar, round);
        memset(e, round, sizeof e);
        CHECK(secp256k1_sign_key(&key, scalar));
        secp256k1_sign(signature, &key, e);
    }
}

/* What is undefined is still computed, so the signatures are right. */
static void should_sign_right_meanwhile(void) {
    const sign_vector *vector = &secp256k1_vectors[0];
    uint8_t scalar[32], e[32], signature[SIGNATURE_LENGTH], expected[SIGNATURE_LENGTH];
    secp256k1_signing_key key;
    from_hex(scalar, vector->scalar, sizeof scalar);
    from_hex(expected, vector->signature, sizeof expected);
    VALGRIND_MAKE_MEM_UNDEFINED(scalar, sizeof scalar);
    sha256_digest(e, (const uint8_t *)vector->message, strlen(vector->message));
    CHECK(secp256k1_sign_key(&key, scalar));
    secp256k1_sign(signature, &key, e);
    VALGRIND_MAKE_MEM_DEFINED(signature, sizeof signature);
    CHECK(memcmp(signature, expected, sizeof expected) == 0);
}

/* A program that reports nothing may be one that sees nothing. */
static void should_notice_a_leak(void) {
    static const uint8_t table[256] = {1, 2, 3};
    uint8_t secret = 1;
    unsigned before = VALGRIND_COUNT_ERRORS;
    VALGRIND_MAKE_MEM_UNDEFINED(&secret, 1);
    volatile uint8_t sink = table[secret];
    (void)sink;
    CHECK(VALGRIND_COUNT_ERRORS > before);
}

int main(void) {
    if (!RUNNING_ON_VALGRIND) {
        printf("to be run by valgrind\n");
        return 1;
    }
    sm2_sign_prepare();
    secp256k1_sign_prepare();
    should_not_leak_sm2_keys();
    should_not_leak_secp256k1_keys();
    should_sign_right_meanwhile();
    CHECK(VALGRIND_COUNT_ERRORS == 0);
    should_notice_a_leak();
    return check_result();
}
