/*
 * The border of signing, without a JVM: a JNI environment of our own hands out Java arrays of any length whose bytes
 * follow from their index, and a hash that counts blocks takes the place of a real one. So an array of two gigabytes
 * costs no memory.
 */
#include "check.h"

/* Its functions are static; the programs of tests are linked without the jni_*.c of the library. */
#include "jni_sign.c"

#include <stdlib.h>

/* What GetByteArrayRegion may be asked for: a whole piece. */
#define REGION_MAX PIECE_LENGTH

static jint array_length, region_end, region_max;

static uint8_t byte_at(jint index) {
    return (uint8_t)(index ^ index >> 8);
}

/* Ends the program where a JVM would throw, or where the caller's piece would overflow. */
static void JNICALL get_byte_array_region(JNIEnv *env, jbyteArray array, jint start, jint length, jbyte *bytes) {
    (void)env, (void)array;
    if (start < 0 || length < 0 || length > array_length - start || length > REGION_MAX) {
        fprintf(stderr, "region of %d bytes at %d of %d\n", length, start, array_length);
        exit(1);
    }
    for (jint i = 0; i < length && array_length <= 1 << 20; i++) {
        bytes[i] = (jbyte)byte_at(start + i);
    }
    region_end = start + length;
    region_max = length > region_max ? length : region_max;
}

static uint64_t blocks_counted;

static void count_blocks(uint32_t words[BLOCK_HASH_WORDS], const uint8_t *blocks, size_t block_count) {
    (void)words, (void)blocks;
    blocks_counted += block_count;
}

static const block_hash counting = {{0}, count_blocks};

/* A block more is needed where fewer than nine bytes of the last are left: the end mark and the length in bits. */
static uint64_t blocks_of(uint64_t length) {
    return (length + 8) / BLOCK_HASH_BLOCK_LENGTH + 1;
}

/* The longest arrays of a JVM, where the sum of prefix and length leaves the range of jint. */
static void should_hash_messages_of_the_greatest_length(JNIEnv *env) {
    static const uint8_t prefix[SM2_Z_LENGTH];
    uint8_t e[BLOCK_HASH_DIGEST_LENGTH];
    for (jint less = 0; less <= 40; less += less < 8 ? 1 : 8) {
        for (jint prefix_length = 0; prefix_length <= SM2_Z_LENGTH; prefix_length += SM2_Z_LENGTH) {
            array_length = INT32_MAX - less;
            region_end = region_max = 0;
            blocks_counted = 0;
            digest(env, &counting, prefix, prefix_length, NULL, 0, array_length, e);
            CHECK(region_end == array_length);
            CHECK(region_max <= REGION_MAX);
            CHECK(blocks_counted == blocks_of((uint64_t)prefix_length + (uint64_t)array_length));
        }
    }
}

/* All lengths about the edges of pieces and blocks, with the real hashes, against the whole message at once. */
static void should_hash_like_the_whole_at_once(JNIEnv *env) {
    enum { LENGTH_MAX = 3 * PIECE_LENGTH + 70, OFFSET = 5 };
    static uint8_t whole[SM2_Z_LENGTH + LENGTH_MAX];
    uint8_t prefix[SM2_Z_LENGTH], e[BLOCK_HASH_DIGEST_LENGTH], expected[BLOCK_HASH_DIGEST_LENGTH];
    array_length = OFFSET + LENGTH_MAX;
    for (int i = 0; i < SM2_Z_LENGTH; i++) {
        prefix[i] = whole[i] = (uint8_t)(i * 7);
    }
    for (jint i = 0; i < LENGTH_MAX; i++) {
        whole[SM2_Z_LENGTH + i] = byte_at(OFFSET + i);
    }
    for (jint length = 0; length <= LENGTH_MAX; length++) {
        uint32_t words[BLOCK_HASH_WORDS];
        memcpy(words, block_hash_sm3.initial, sizeof words);
        size_t total = SM2_Z_LENGTH + (size_t)length;
        block_hash_finish(&block_hash_sm3, words, whole, total, total, expected);
        digest(env, &block_hash_sm3, prefix, SM2_Z_LENGTH, NULL, OFFSET, length, e);
        CHECK(memcmp(e, expected, sizeof e) == 0);

        sha256_digest(expected, whole + SM2_Z_LENGTH, (size_t)length);
        digest(env, &block_hash_sha256, prefix, 0, NULL, OFFSET, length, e);
        CHECK(memcmp(e, expected, sizeof e) == 0);
    }
}

int main(void) {
    static const struct JNINativeInterface_ functions = {.GetByteArrayRegion = get_byte_array_region};
    JNIEnv env = &functions;
    should_hash_like_the_whole_at_once(&env);
    should_hash_messages_of_the_greatest_length(&env);
    return check_result();
}
