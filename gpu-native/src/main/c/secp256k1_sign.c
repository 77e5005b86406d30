#include "secp256k1_sign.h"

#include "nonce.h"
#include "scalar.h"
#include "secp256k1_base.h"
#include "secp256k1_fe.h"
#include "secrets.h"
#include "wipe.h"

void secp256k1_sign_prepare(void) {
    secp256k1_base_prepare();
}

int secp256k1_sign_key(secp256k1_signing_key *key, const uint8_t scalar[32]) {
    u256_from_bytes(&key->d, scalar);
    uint64_t is_valid = scalar_is_valid(&key->d, &secp256k1_order);
    SECRET_IS_PUBLIC(&is_valid, sizeof is_valid);
    if (is_valid) {
        scalar_to_montgomery(&key->montgomery_d, &key->d, &secp256k1_order);
    } else {
        wipe(key, sizeof *key);
    }
    return (int)is_valid;
}

/* A signature in the making: e mod n, then r, s and the recovery byte. */
typedef struct {
    const secp256k1_signing_key *key;
    u256 e;
    u256 r;
    u256 s;
    uint8_t v;
} signing;

static uint64_t sign_with(void *signature, const u256 *k) {
    signing *made = signature;
    fixed_base_point point;
    u256 z_inverse, x, y, k_inverse, sum, opposite;
    secp256k1_base_multiply(&point, k);
    secp256k1_fe_inv(&z_inverse, &point.z);
    secp256k1_base_affine(&x, &y, &point, &z_inverse);
    scalar_reduce(&made->r, &x, &secp256k1_order);
    uint64_t is_reduced = u256_is_equal(&made->r, &x) ^ 1;
    scalar_mul(&sum, &made->r, &made->key->montgomery_d, &secp256k1_order);
    scalar_add(&sum, &sum, &made->e, &secp256k1_order);
    scalar_inverse(&k_inverse, k, &secp256k1_order);
    scalar_to_montgomery(&k_inverse, &k_inverse, &secp256k1_order);
    scalar_mul(&sum, &sum, &k_inverse, &secp256k1_order);
    u256_sub(&opposite, &secp256k1_order.n.m, &sum);
    uint64_t is_high = u256_is_less(&opposite, &sum);
    u256_select(&made->s, u64_mask(is_high), &opposite, &sum);
    made->v = (uint8_t)(((y.w[0] & 1) ^ is_high) | is_reduced << 1);
    uint64_t is_refused = secp256k1_fe_is_zero(&point.z) | u256_is_zero(&made->r) | u256_is_zero(&sum);
    wipe(&point, sizeof point);
    wipe(&z_inverse, sizeof z_inverse);
    wipe(&x, sizeof x);
    wipe(&y, sizeof y);
    wipe(&k_inverse, sizeof k_inverse);
    wipe(&sum, sizeof sum);
    wipe(&opposite, sizeof opposite);
    return is_refused ^ 1;
}

void secp256k1_sign(uint8_t signature[SIGNATURE_LENGTH], const secp256k1_signing_key *key, const uint8_t e[32]) {
    signing made = {.key = key};
    u256_from_bytes(&made.e, e);
    scalar_reduce(&made.e, &made.e, &secp256k1_order);
    nonce_search(&block_hash_sha256, &secp256k1_order, &key->d, &made.e, sign_with, &made);
    u256_to_bytes(signature, &made.r);
    u256_to_bytes(signature + 32, &made.s);
    signature[64] = made.v;
}
