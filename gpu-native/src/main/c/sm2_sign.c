#include "sm2_sign.h"

#include "cpu.h"
#include "nonce.h"
#include "nonce_lanes.h"
#include "scalar.h"
#include "secrets.h"
#include "sm2_base.h"
#include "sm2_base_avx512.h"
#include "wipe.h"

void sm2_sign_prepare(void) {
    sm2_base_prepare();
#ifdef __x86_64__
    if (cpu_has_avx512_ifma()) {
        sm2_base_avx512_prepare();
    }
#endif
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

/* r = e + x, s = (1+d)^-1 (k + r) - r from x = x(kG), an integer below p; returns 0 when k gives no signature. */
static uint64_t sign_with_x(u256 *r, u256 *s, const sm2_signing_key *key, const u256 *e, const u256 *k, const u256 *x) {
    u256 reduced, sum, scaled;
    scalar_reduce(&reduced, x, &sm2_order);
    scalar_add(r, e, &reduced, &sm2_order);
    scalar_add(&sum, r, k, &sm2_order);
    scalar_mul(&scaled, &sum, &key->inverse, &sm2_order);
    scalar_sub(s, &scaled, r, &sm2_order);
    uint64_t is_refused = u256_is_zero(r) | u256_is_zero(&sum) | u256_is_zero(s);
    wipe(&reduced, sizeof reduced);
    wipe(&sum, sizeof sum);
    wipe(&scaled, sizeof scaled);
    return is_refused ^ 1;
}

/* A signature in the making: e mod n, then r and s. */
typedef struct {
    const sm2_signing_key *key;
    u256 e;
    u256 r;
    u256 s;
} signing;

static uint64_t sign_with(void *signature, const u256 *k) {
    signing *made = signature;
    fixed_base_point point;
    u256 z_inverse, x;
    sm2_base_multiply(&point, k);
    sm2_base_fe_inverse(&z_inverse, &point.z);
    sm2_base_affine_x(&x, &point, &z_inverse);
    uint64_t is_signed = sign_with_x(&made->r, &made->s, made->key, &made->e, k, &x) & (u256_is_zero(&point.z) ^ 1);
    wipe(&point, sizeof point);
    wipe(&z_inverse, sizeof z_inverse);
    wipe(&x, sizeof x);
    return is_signed;
}

static void write_signature(uint8_t signature[SIGNATURE_LENGTH], const u256 *r, const u256 *s) {
    u256_to_bytes(signature, r);
    u256_to_bytes(signature + 32, s);
    signature[64] = 0;
}

void sm2_sign(uint8_t signature[SIGNATURE_LENGTH], const sm2_signing_key *key, const uint8_t e[32]) {
    signing made = {.key = key};
    u256_from_bytes(&made.e, e);
    scalar_reduce(&made.e, &made.e, &sm2_order);
    nonce_search(&block_hash_sm3, &sm2_order, &key->d, &made.e, sign_with, &made);
    write_signature(signature, &made.r, &made.s);
}

#ifdef __x86_64__
#define CHUNK SM2_BASE_AVX512_COUNT_MAX

/*
 * Signs 1..CHUNK digests with their first nonces; in unused lanes the first digest once more. Whatever fails, with odds
 * of 2^-32 and less, is signed alone, which begins with the same nonce.
 */
static void sign_chunk(uint8_t (*signatures)[SIGNATURE_LENGTH], const sm2_signing_key *const *keys,
        const uint8_t (*e)[32], int count) {
    u256 digests[CHUNK], k[CHUNK], x[CHUNK];
    const u256 *d[CHUNK];
    int lanes = (count + SM3_LANES - 1) / SM3_LANES * SM3_LANES;
    for (int i = 0; i < lanes; i++) {
        int source = i < count ? i : 0;
        d[i] = &keys[source]->d;
        u256_from_bytes(&digests[i], e[source]);
        scalar_reduce(&digests[i], &digests[i], &sm2_order);
    }
    for (int i = 0; i < lanes; i += SM3_LANES) {
        nonce_lanes_first(k + i, d + i, digests + i);
    }
    uint64_t is_usable[CHUNK];
    static const u256 one = {{1, 0, 0, 0}};
    for (int i = 0; i < lanes; i++) {
        is_usable[i] = scalar_is_valid(&k[i], &sm2_order);
        u256_select(&k[i], u64_mask(is_usable[i]), &k[i], &one);
    }
    uint64_t are_multiplied = (uint64_t)sm2_base_avx512_multiply(
            x, k, (count + SM2_BASE_AVX512_LANES - 1) / SM2_BASE_AVX512_LANES * SM2_BASE_AVX512_LANES);
    for (int i = 0; i < count; i++) {
        u256 r, s;
        uint64_t is_signed = sign_with_x(&r, &s, keys[i], &digests[i], &k[i], &x[i]) & is_usable[i] & are_multiplied;
        SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        if (is_signed) {
            write_signature(signatures[i], &r, &s);
        } else {
            sm2_sign(signatures[i], keys[i], e[i]);
        }
    }
    wipe(k, sizeof k);
    wipe(x, sizeof x);
}
#endif

void sm2_sign_many(uint8_t (*signatures)[SIGNATURE_LENGTH], const sm2_signing_key *const *keys, const uint8_t (*e)[32],
        size_t count) {
    size_t done = 0;
#ifdef __x86_64__
    if (cpu_has_avx512_ifma() && count > 1) {
        for (; done < count; done += CHUNK) {
            size_t size = count - done < CHUNK ? count - done : CHUNK;
            sign_chunk(signatures + done, keys + done, e + done, (int)size);
        }
        return;
    }
#endif
    for (; done < count; done++) {
        sm2_sign(signatures[done], keys[done], e[done]);
    }
}
