/*
 * The border between io.sealbook.nativecode.NativeSigning and the signing functions. Java has checked every length.
 * Parts of its arrays are copied to the stack; the secret ones are wiped there.
 */
#include <jni.h>

#include "block_hash.h"
#include "secp256k1_sign.h"
#include "sha256.h"
#include "sm2_sign.h"
#include "sm3.h"
#include "wipe.h"

#define JAVA(name) Java_io_sealbook_nativecode_NativeSigning_##name

#define SCHEME_SM2 1
#define PIECE_LENGTH 256
#define CHUNK 64

/* What Java keeps in a direct buffer of NativeSigning.KEY_LENGTH bytes. */
typedef struct {
    union {
        sm2_signing_key sm2;
        secp256k1_signing_key secp256k1;
    } key;
    uint8_t z[SM2_Z_LENGTH]; /* SM2 only */
} java_key;

_Static_assert(sizeof(java_key) == 96, "NativeSigning.KEY_LENGTH");

JNIEXPORT void JNICALL JAVA(prepare)(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    sm2_sign_prepare();
    secp256k1_sign_prepare();
}

JNIEXPORT jboolean JNICALL JAVA(makeKey)(
        JNIEnv *env, jclass type, jobject key_buffer, jint scheme, jbyteArray scalar32, jbyteArray z) {
    (void)type;
    java_key *key = (*env)->GetDirectBufferAddress(env, key_buffer);
    uint8_t scalar[32];
    (*env)->GetByteArrayRegion(env, scalar32, 0, sizeof scalar, (jbyte *)scalar);
    int is_made;
    if (scheme == SCHEME_SM2) {
        is_made = sm2_sign_key(&key->key.sm2, scalar);
        (*env)->GetByteArrayRegion(env, z, 0, SM2_Z_LENGTH, (jbyte *)key->z);
    } else {
        is_made = secp256k1_sign_key(&key->key.secp256k1, scalar);
    }
    wipe(scalar, sizeof scalar);
    return (jboolean)is_made;
}

JNIEXPORT void JNICALL JAVA(wipeKey)(JNIEnv *env, jclass type, jobject key_buffer) {
    (void)type;
    wipe((*env)->GetDirectBufferAddress(env, key_buffer), sizeof(java_key));
}

/*
 * Hashes prefix, less than a block, and then length bytes of a Java array from offset on. length may be as large as an
 * array can be: it is never added to.
 */
static void digest(JNIEnv *env, const block_hash *hash, const uint8_t *prefix, jint prefix_length, jbyteArray message,
        jint offset, jint length, uint8_t e[BLOCK_HASH_DIGEST_LENGTH]) {
    uint32_t words[BLOCK_HASH_WORDS];
    uint8_t piece[PIECE_LENGTH];
    memcpy(words, hash->initial, sizeof words);
    memcpy(piece, prefix, (size_t)prefix_length);
    uint64_t total = (uint64_t)prefix_length + (uint64_t)length;
    jint taken = prefix_length;
    while (length > PIECE_LENGTH - taken) {
        (*env)->GetByteArrayRegion(env, message, offset, PIECE_LENGTH - taken, (jbyte *)piece + taken);
        hash->compress(words, piece, PIECE_LENGTH / BLOCK_HASH_BLOCK_LENGTH);
        offset += PIECE_LENGTH - taken;
        length -= PIECE_LENGTH - taken;
        taken = 0;
    }
    (*env)->GetByteArrayRegion(env, message, offset, length, (jbyte *)piece + taken);
    block_hash_finish(hash, words, piece, (size_t)(taken + length), total, e);
}

static void sign(JNIEnv *env, const java_key *key, jint scheme, jbyteArray message, jint offset, jint length,
        uint8_t *signature) {
    uint8_t e[BLOCK_HASH_DIGEST_LENGTH];
    if (scheme == SCHEME_SM2) {
        digest(env, &block_hash_sm3, key->z, SM2_Z_LENGTH, message, offset, length, e);
        sm2_sign(signature, &key->key.sm2, e);
    } else {
        digest(env, &block_hash_sha256, key->z, 0, message, offset, length, e);
        secp256k1_sign(signature, &key->key.secp256k1, e);
    }
}

JNIEXPORT void JNICALL JAVA(sign)(JNIEnv *env, jclass type, jobject key_buffer, jint scheme, jbyteArray message,
        jint offset, jint length, jbyteArray signature, jint signature_offset) {
    (void)type;
    uint8_t bytes[SIGNATURE_LENGTH];
    sign(env, (*env)->GetDirectBufferAddress(env, key_buffer), scheme, message, offset, length, bytes);
    (*env)->SetByteArrayRegion(env, signature, signature_offset, SIGNATURE_LENGTH, (const jbyte *)bytes);
}

/* Digests of a chunk of messages; short ones side by side. */
static void digests(JNIEnv *env, const java_key *key, jbyteArray messages, jint offset, jint length, jint count,
        uint8_t (*e)[SM3_DIGEST_LENGTH]) {
    if (length > PIECE_LENGTH) {
        for (jint i = 0; i < count; i++) {
            digest(env, &block_hash_sm3, key->z, SM2_Z_LENGTH, messages, offset + i * length, length, e[i]);
        }
        return;
    }
    uint8_t bytes[CHUNK * PIECE_LENGTH];
    const uint8_t *starts[CHUNK], *z[CHUNK];
    (*env)->GetByteArrayRegion(env, messages, offset, count * length, (jbyte *)bytes);
    for (jint i = 0; i < count; i++) {
        starts[i] = bytes + i * length;
        z[i] = key->z;
    }
    sm3_sm2_digests(e, z, starts, (size_t)length, (size_t)count);
}

JNIEXPORT void JNICALL JAVA(signAll)(JNIEnv *env, jclass type, jobject key_buffer, jint scheme, jbyteArray messages,
        jint length, jint count, jbyteArray signatures) {
    (void)type;
    const java_key *key = (*env)->GetDirectBufferAddress(env, key_buffer);
    uint8_t e[CHUNK][SM3_DIGEST_LENGTH], bytes[CHUNK][SIGNATURE_LENGTH];
    const sm2_signing_key *keys[CHUNK];
    for (jint first = 0; first < count; first += CHUNK) {
        jint size = count - first < CHUNK ? count - first : CHUNK;
        if (scheme == SCHEME_SM2) {
            for (jint i = 0; i < size; i++) {
                keys[i] = &key->key.sm2;
            }
            digests(env, key, messages, first * length, length, size, e);
            sm2_sign_many(bytes, keys, (const uint8_t(*)[SM3_DIGEST_LENGTH])e, (size_t)size);
        } else {
            for (jint i = 0; i < size; i++) {
                sign(env, key, scheme, messages, (first + i) * length, length, bytes[i]);
            }
        }
        (*env)->SetByteArrayRegion(
                env, signatures, first * SIGNATURE_LENGTH, size * SIGNATURE_LENGTH, (const jbyte *)bytes);
    }
}
