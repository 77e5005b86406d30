/*
 * Signatures against known ones and against the verification equations; JniSignerTest compares many more with the Java
 * signers.
 */
#include "check.h"
#include "nonce.h"
#include "scalar.h"
#include "secp256k1_base.h"
#include "secp256k1_sign.h"
#include "sha256.h"
#include "sign_vectors.h"
#include "sm2_base.h"
#include "sm2_fe.h"
#include "sm2_reference.h"
#include "sm2_sign.h"

static void should_give_known_signatures_of_secp256k1(void) {
    for (size_t i = 0; i < sizeof secp256k1_vectors / sizeof *secp256k1_vectors; i++) {
        const sign_vector *vector = &secp256k1_vectors[i];
        uint8_t scalar[32], e[32], signature[SIGNATURE_LENGTH], expected[SIGNATURE_LENGTH] = {0};
        size_t known_length = strlen(vector->signature) / 2;
        secp256k1_signing_key key;
        from_hex(scalar, vector->scalar, sizeof scalar);
        from_hex(expected, vector->signature, known_length);
        sha256_digest(e, (const uint8_t *)vector->message, strlen(vector->message));
        CHECK(secp256k1_sign_key(&key, scalar));
        secp256k1_sign(signature, &key, e);
        CHECK(memcmp(signature, expected, known_length) == 0);
        CHECK(signature[64] <= 3);
    }
}

/* FIPS 180-4's example of two blocks, and a message of many. */
static void should_give_known_digests(void) {
    uint8_t digest[32], expected[32];
    const char *text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    from_hex(expected, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", 32);
    sha256_digest(digest, (const uint8_t *)text, strlen(text));
    CHECK(memcmp(digest, expected, 32) == 0);
    static uint8_t many[1000];
    memset(many, 'a', sizeof many);
    from_hex(expected, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3", 32);
    sha256_digest(digest, many, sizeof many);
    CHECK(memcmp(digest, expected, 32) == 0);
}

/*
 * t = r + s, (x, y) = s G + t P, r = e + x: with the arithmetic of verification, which shares nothing with signing but
 * the field.
 */
static void should_satisfy_the_sm2_equation(void) {
    for (int round = 0; round < 30; round++) {
        u256 d, e, r, s, t, x, z_inverse;
        uint8_t scalar[32], digest[32], signature[SIGNATURE_LENGTH];
        sm2_signing_key key;
        check_random_below(&d, &sm2_order.n.m);
        if (u256_is_zero(&d)) {
            continue;
        }
        u256_to_bytes(scalar, &d);
        for (int i = 0; i < 32; i++) {
            digest[i] = round == 0 ? 0xFF : round == 1 ? 0 : (uint8_t)check_random();
        }
        CHECK(sm2_sign_key(&key, scalar));
        sm2_sign(signature, &key, digest);

        u256_from_bytes(&r, signature);
        u256_from_bytes(&s, signature + 32);
        u256_from_bytes(&e, digest);
        CHECK(scalar_is_valid(&r, &sm2_order) && scalar_is_valid(&s, &sm2_order) && signature[64] == 0);
        u256 zero = {{0}};
        sm2_ge_jacobian point, sum;
        sm2_ge_affine public_key;
        reference_multiply_add(&point, &d, &zero, &sm2_ge_generator);
        sm2_ge_to_affine_var(&public_key, &point, 1);
        scalar_add(&t, &r, &s, &sm2_order);
        reference_multiply_add(&sum, &s, &t, &public_key);
        fixed_base_point projective = {sum.x, sum.y, sum.z};
        sm2_base_fe_inverse(&z_inverse, &sum.z);
        sm2_base_affine_x(&x, &projective, &z_inverse);
        scalar_reduce(&x, &x, &sm2_order);
        scalar_reduce(&e, &e, &sm2_order);
        scalar_add(&x, &x, &e, &sm2_order);
        CHECK(u256_is_equal(&x, &r));
    }
}

/* Scalars at the edges of windows and of the range: the sum of the table's entries against double and add. */
static void should_multiply_like_verification(void) {
    for (int round = 0; round < 200; round++) {
        u256 k, zero = {{0}}, x, expected, z_inverse;
        if (round < 128) {
            k = (u256){{0}};
            k.w[round / 32] = round % 2 == 0 ? (uint64_t)1 << 2 * (round % 32) : UINT64_MAX >> 2 * (round % 32);
        } else {
            check_random_below(&k, &sm2_order.n.m);
        }
        scalar_reduce(&k, &k, &sm2_order);
        fixed_base_point product;
        sm2_base_multiply(&product, &k);
        sm2_base_fe_inverse(&z_inverse, &product.z);
        sm2_base_affine_x(&x, &product, &z_inverse);
        sm2_ge_jacobian reference;
        reference_multiply_add(&reference, &k, &zero, &sm2_ge_generator);
        fixed_base_point projective = {reference.x, reference.y, reference.z};
        sm2_base_fe_inverse(&z_inverse, &reference.z);
        sm2_base_affine_x(&expected, &projective, &z_inverse);
        CHECK(u256_is_equal(&x, &expected));
    }
}

static void should_sign_many_like_one(void) {
    enum { MANY = 150, KEYS = 5 };
    static uint8_t e[MANY][32], signatures[MANY][SIGNATURE_LENGTH], expected[SIGNATURE_LENGTH];
    sm2_signing_key keys[KEYS];
    const sm2_signing_key *used[MANY];
    for (int i = 0; i < KEYS; i++) {
        uint8_t scalar[32];
        for (int j = 0; j < 32; j++) {
            scalar[j] = (uint8_t)check_random();
        }
        scalar[0] &= 0x7F;
        CHECK(sm2_sign_key(&keys[i], scalar));
    }
    for (int round = 0; round < 6; round++) {
        int count = (int[]){0, 1, 2, 9, 64, MANY}[round];
        for (int i = 0; i < count; i++) {
            used[i] = &keys[check_random() % KEYS];
            for (int j = 0; j < 32; j++) {
                e[i][j] = (uint8_t)check_random();
            }
        }
        sm2_sign_many(signatures, used, (const uint8_t(*)[32])e, (size_t)count);
        for (int i = 0; i < count; i++) {
            sm2_sign(expected, used[i], e[i]);
            CHECK(memcmp(signatures[i], expected, SIGNATURE_LENGTH) == 0);
        }
    }
}

static void should_refuse_scalars_out_of_range(void) {
    uint8_t scalar[32] = {0};
    sm2_signing_key sm2;
    secp256k1_signing_key secp256k1;
    u256 value, one = {{1, 0, 0, 0}};
    CHECK(!sm2_sign_key(&sm2, scalar));
    CHECK(!secp256k1_sign_key(&secp256k1, scalar));
    CHECK(u256_is_zero(&sm2.d) && u256_is_zero(&secp256k1.d));
    u256_to_bytes(scalar, &sm2_order.n.m);
    CHECK(!sm2_sign_key(&sm2, scalar));
    u256_sub(&value, &sm2_order.n.m, &one);
    u256_to_bytes(scalar, &value);
    CHECK(!sm2_sign_key(&sm2, scalar));
    u256_sub(&value, &value, &one);
    u256_to_bytes(scalar, &value);
    CHECK(sm2_sign_key(&sm2, scalar));
    u256_to_bytes(scalar, &secp256k1_order.n.m);
    CHECK(!secp256k1_sign_key(&secp256k1, scalar));
    u256_sub(&value, &secp256k1_order.n.m, &one);
    u256_to_bytes(scalar, &value);
    CHECK(secp256k1_sign_key(&secp256k1, scalar));
}

/* RFC 6979, 3.2, h.3: the candidates after the first, as an independent computation of HMAC-SHA256 gives them. */
static void should_go_on_with_other_nonces(void) {
    nonce_source source;
    u256 d = {{1, 0, 0, 0}}, e = {{2, 0, 0, 0}}, first, second, expected;
    nonce_first(&source, &block_hash_sha256, &d, &e, &first);
    nonce_next(&source, &second);
    nonce_wipe(&source);
    check_from_hex(&expected, "6469f458a715461e96a1bc8c2112dd2c56c0e63a8af96697e98ff6b5e60a5415");
    CHECK(u256_is_equal(&first, &expected));
    check_from_hex(&expected, "e99637e2fb6784249e3f770769e078cdbd2277d3db75ff47daefc75245928b09");
    CHECK(u256_is_equal(&second, &expected));
}

int main(void) {
    sm2_sign_prepare();
    secp256k1_sign_prepare();
    should_give_known_digests();
    should_give_known_signatures_of_secp256k1();
    should_satisfy_the_sm2_equation();
    should_multiply_like_verification();
    should_sign_many_like_one();
    should_refuse_scalars_out_of_range();
    should_go_on_with_other_nonces();
    return check_result();
}
