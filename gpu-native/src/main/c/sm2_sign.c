#include "sm2_sign.h"

#include "nonce.h"
#include "scalar.h"
#include "secrets.h"
#include "sm2_base.h"
#include "wipe.h"

void sm2_sign_prepare(void) {
    sm2_base_prepare();
}

int sm2_sign_key(sm2_signing_key *key, const uint8_t scalar[32]) {
    static const u256 one = {{1, 0, 0, 0}};
    u256 sum;
    u256_from_bytes(&key->d, scalar);
    scalar_add(&sum, &key->d, &one, &sm2_order);
    uint64_t is_valid = scalar_is_valid(&key->d, &sm2_order) & (u256_is_zero(&sum) ^ 1);
    SECRET_IS_PUBLIC(&is_valid, sizeof is_valid);
    if (is_valid) {
        scalar_inverse(&sum, &sum, &sm2_order);
        scalar_to_montgomery(&key->inverse, &sum, &sm2_order);
    } else {
        wipe(key, sizeof *key);
    }
    wipe(&sum, sizeof sum);
    return (int)is_valid;
}

/* Makes a signature with the nonce k; returns 0 when k gives none. */
static uint64_t sign_with(u256 *r, u256 *s, const sm2_signing_key *key, const u256 *e, const u256 *k) {
    fixed_base_point point;
    u256 z_inverse, x, sum, scaled;
    sm2_base_multiply(&point, k);
    sm2_base_fe_inverse(&z_inverse, &point.z);
    sm2_base_affine_x(&x, &point, &z_inverse);
    scalar_reduce(&x, &x, &sm2_order);
    scalar_add(r, e, &x, &sm2_order);
    scalar_add(&sum, r, k, &sm2_order);
    scalar_mul(&scaled, &sum, &key->inverse, &sm2_order);
    scalar_sub(s, &scaled, r, &sm2_order);
    uint64_t is_refused = u256_is_zero(&point.z) | u256_is_zero(r) | u256_is_zero(&sum) | u256_is_zero(s);
    wipe(&point, sizeof point);
    wipe(&z_inverse, sizeof z_inverse);
    wipe(&x, sizeof x);
    wipe(&sum, sizeof sum);
    wipe(&scaled, sizeof scaled);
    return is_refused ^ 1;
}

void sm2_sign(uint8_t signature[SIGNATURE_LENGTH], const sm2_signing_key *key, const uint8_t e[32]) {
    nonce_source source;
    u256 digest, k, r, s;
    u256_from_bytes(&digest, e);
    scalar_reduce(&digest, &digest, &sm2_order);
    nonce_first(&source, &block_hash_sm3, &key->d, &digest, &k);
    for (;;) {
        uint64_t is_signed = scalar_is_valid(&k, &sm2_order);
        SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        if (is_signed) {
            is_signed = sign_with(&r, &s, key, &digest, &k);
            SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        }
        if (is_signed) {
            break;
        }
        nonce_next(&source, &k);
    }
    u256_to_bytes(signature, &r);
    u256_to_bytes(signature + 32, &s);
    signature[64] = 0;
    nonce_wipe(&source);
    wipe(&k, sizeof k);
}
