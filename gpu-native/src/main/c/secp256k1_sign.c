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

/* Makes a signature with the nonce k; returns 0 when k gives none. */
static uint64_t sign_with(
        u256 *r, u256 *s, uint8_t *v, const secp256k1_signing_key *key, const u256 *e, const u256 *k) {
    fixed_base_point point;
    u256 z_inverse, x, y, k_inverse, sum, opposite;
    secp256k1_base_multiply(&point, k);
    secp256k1_fe_inv(&z_inverse, &point.z);
    secp256k1_base_affine(&x, &y, &point, &z_inverse);
    scalar_reduce(r, &x, &secp256k1_order);
    uint64_t is_reduced = u256_is_equal(r, &x) ^ 1;
    scalar_mul(&sum, r, &key->montgomery_d, &secp256k1_order);
    scalar_add(&sum, &sum, e, &secp256k1_order);
    scalar_inverse(&k_inverse, k, &secp256k1_order);
    scalar_to_montgomery(&k_inverse, &k_inverse, &secp256k1_order);
    scalar_mul(&sum, &sum, &k_inverse, &secp256k1_order);
    u256_sub(&opposite, &secp256k1_order.n.m, &sum);
    uint64_t is_high = u256_is_less(&opposite, &sum);
    u256_select(s, u64_mask(is_high), &opposite, &sum);
    *v = (uint8_t)(((y.w[0] & 1) ^ is_high) | is_reduced << 1);
    uint64_t is_refused = secp256k1_fe_is_zero(&point.z) | u256_is_zero(r) | u256_is_zero(&sum);
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
    nonce_source source;
    u256 digest, k, r, s;
    u256_from_bytes(&digest, e);
    scalar_reduce(&digest, &digest, &secp256k1_order);
    nonce_first(&source, &block_hash_sha256, &key->d, &digest, &k);
    for (;;) {
        uint64_t is_signed = scalar_is_valid(&k, &secp256k1_order);
        SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        if (is_signed) {
            is_signed = sign_with(&r, &s, &signature[64], key, &digest, &k);
            SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        }
        if (is_signed) {
            break;
        }
        nonce_next(&source, &k);
    }
    u256_to_bytes(signature, &r);
    u256_to_bytes(signature + 32, &s);
    nonce_wipe(&source);
    wipe(&k, sizeof k);
}
