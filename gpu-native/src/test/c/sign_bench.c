/* Signatures a second on one core, and what they are made of. */
#include "bench.h"
#include "cpu.h"
#include "nonce.h"
#include "secp256k1_base.h"
#include "secp256k1_fe.h"
#include "secp256k1_sign.h"
#include "sm2_base.h"
#include "sm2_sign.h"
#include "sm3.h"

int main(void) {
    uint8_t scalar[32] = {1, 2, 3}, e[32] = {4, 5, 6}, signature[SIGNATURE_LENGTH], block[64] = {0};
    uint32_t words[SM3_WORDS] = {0};
    sm2_signing_key sm2;
    secp256k1_signing_key secp256k1;
    fixed_base_point point;
    nonce_source source;
    u256 d = {{1, 2, 3, 4}}, k;
    static sm3_lanes_state lanes;
    static uint8_t blocks[SM3_LANES][SM3_BLOCK_LENGTH];
    BENCH("tables of both curves", 1, (sm2_sign_prepare(), secp256k1_sign_prepare()));
    sm2_sign_key(&sm2, scalar);
    secp256k1_sign_key(&secp256k1, scalar);
    BENCH("SM3, one block", 100, sm3_compress(words, block, 1));
    BENCH("SM3, sixteen blocks side by side", 100, sm3_lanes_compress(&lanes, blocks));
    BENCH("nonce with HMAC-SM3", 10, nonce_first(&source, &block_hash_sm3, &d, &d, &k));
    BENCH("nonce with HMAC-SHA256", 10, nonce_first(&source, &block_hash_sha256, &d, &d, &k));
    BENCH("k G on SM2", 10, sm2_base_multiply(&point, &k));
    BENCH("k G on secp256k1", 10, secp256k1_base_multiply(&point, &k));
    BENCH("constant-time inverse", 10, secp256k1_fe_inv(&k, &k));
    BENCH("SM2 signature", 10, (sm2_sign(signature, &sm2, e), e[0] ^= signature[0]));
    enum { MANY = 64 };
    static uint8_t digests[MANY][32], signatures[MANY][SIGNATURE_LENGTH];
    const sm2_signing_key *keys[MANY];
    for (int i = 0; i < MANY; i++) {
        keys[i] = &sm2;
        digests[i][0] = (uint8_t)i;
    }
    BENCH("SM2 signatures, 64 together, each", 64,
            if (bench_i == 0) sm2_sign_many(signatures, keys, (const uint8_t(*)[32])digests, MANY));
    BENCH("SM2 signatures, 8 together, each", 8,
            if (bench_i == 0) sm2_sign_many(signatures, keys, (const uint8_t(*)[32])digests, 8));
    BENCH("secp256k1 signature", 10, (secp256k1_sign(signature, &secp256k1, e), e[0] ^= signature[0]));
    return 0;
}
