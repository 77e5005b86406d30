#include "nonce.h"

#include <string.h>

#include "secrets.h"
#include "wipe.h"

#define V_LENGTH BLOCK_HASH_DIGEST_LENGTH

/* Keeps the states from which every HMAC with this key starts. */
static void set_key(nonce_source *source, const uint8_t key[BLOCK_HASH_DIGEST_LENGTH]) {
    uint8_t pad[BLOCK_HASH_BLOCK_LENGTH];
    memset(pad, 0x36, sizeof pad);
    for (int i = 0; i < BLOCK_HASH_DIGEST_LENGTH; i++) {
        pad[i] ^= key[i];
    }
    memcpy(source->inner, source->hash->initial, sizeof source->inner);
    source->hash->compress(source->inner, pad, 1);
    for (int i = 0; i < BLOCK_HASH_BLOCK_LENGTH; i++) {
        pad[i] ^= 0x36 ^ 0x5C;
    }
    memcpy(source->outer, source->hash->initial, sizeof source->outer);
    source->hash->compress(source->outer, pad, 1);
    wipe(pad, sizeof pad);
}

static void hmac(
        const nonce_source *source, const uint8_t *text, size_t length, uint8_t code[BLOCK_HASH_DIGEST_LENGTH]) {
    uint32_t words[BLOCK_HASH_WORDS];
    uint8_t inner[BLOCK_HASH_DIGEST_LENGTH];
    memcpy(words, source->inner, sizeof words);
    block_hash_finish(source->hash, words, text, length, BLOCK_HASH_BLOCK_LENGTH + length, inner);
    memcpy(words, source->outer, sizeof words);
    block_hash_finish(source->hash, words, inner, sizeof inner, BLOCK_HASH_BLOCK_LENGTH + sizeof inner, code);
    wipe(words, sizeof words);
    wipe(inner, sizeof inner);
}

/* K = HMAC_K(V || separator || more), V = HMAC_K(V). */
static void renew(nonce_source *source, uint8_t separator, const uint8_t *more, size_t more_length) {
    uint8_t text[V_LENGTH + 1 + 2 * 32], key[BLOCK_HASH_DIGEST_LENGTH];
    memcpy(text, source->v, V_LENGTH);
    text[V_LENGTH] = separator;
    memcpy(text + V_LENGTH + 1, more, more_length);
    hmac(source, text, V_LENGTH + 1 + more_length, key);
    set_key(source, key);
    hmac(source, source->v, V_LENGTH, source->v);
    wipe(text, sizeof text);
    wipe(key, sizeof key);
}

void nonce_first(nonce_source *source, const block_hash *hash, const u256 *d, const u256 *e, u256 *k) {
    static const uint8_t zero_key[BLOCK_HASH_DIGEST_LENGTH];
    uint8_t seed[2 * 32];
    source->hash = hash;
    memset(source->v, 1, V_LENGTH);
    u256_to_bytes(seed, d);
    u256_to_bytes(seed + 32, e);
    set_key(source, zero_key);
    renew(source, 0, seed, sizeof seed);
    renew(source, 1, seed, sizeof seed);
    hmac(source, source->v, V_LENGTH, source->v);
    u256_from_bytes(k, source->v);
    wipe(seed, sizeof seed);
}

void nonce_next(nonce_source *source, u256 *k) {
    static const uint8_t nothing;
    renew(source, 0, &nothing, 0);
    hmac(source, source->v, V_LENGTH, source->v);
    u256_from_bytes(k, source->v);
}

void nonce_wipe(nonce_source *source) {
    wipe(source, sizeof *source);
}

void nonce_search(const block_hash *hash, const scalar_order *order, const u256 *d, const u256 *e, nonce_use use,
        void *signature) {
    nonce_source source;
    u256 k;
    nonce_first(&source, hash, d, e, &k);
    for (;;) {
        uint64_t is_signed = scalar_is_valid(&k, order);
        SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        if (is_signed) {
            is_signed = use(signature, &k);
            SECRET_IS_PUBLIC(&is_signed, sizeof is_signed);
        }
        if (is_signed) {
            break;
        }
        nonce_next(&source, &k);
    }
    nonce_wipe(&source);
    wipe(&k, sizeof k);
}
