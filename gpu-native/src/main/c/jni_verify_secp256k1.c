/*
 * JNI functions of io.sealbook.nativecode.NativeSecp256k1: check buffers, then hand them to secp256k1_verify.h.
 * Buffers are direct. One that is too short or badly aligned is an IllegalArgumentException, and nothing is done.
 */
#include "jni_buffers.h"
#include "secp256k1_verify.h"

#define JAVA(name) Java_io_sealbook_nativecode_NativeSecp256k1_##name

#define ALIGNMENT 64
#define KEY_TABLE_SIZE (SECP256K1_KEY_ENTRIES * sizeof(secp256k1_affine))
#define GENERATOR_TABLE_SIZE (SECP256K1_GENERATOR_ENTRIES * sizeof(secp256k1_affine))

/* Returns the code of a backend as sm2_verify.h numbers them; NULL, an exception pending, when there is none. */
static const secp256k1_group *group_of(JNIEnv *env, jint backend) {
    const secp256k1_group *group = backend < 0 ? NULL : secp256k1_group_of(backend);
    if (group == NULL) {
        refuse(env, "this processor has no such backend");
    }
    return group;
}

JNIEXPORT jint JNICALL JAVA(scratchSize)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return (jint)SECP256K1_VERIFY_SCRATCH_SIZE;
}

JNIEXPORT jint JNICALL JAVA(keyTableSize)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return (jint)KEY_TABLE_SIZE;
}

JNIEXPORT jint JNICALL JAVA(generatorTableSize)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return (jint)GENERATOR_TABLE_SIZE;
}

JNIEXPORT jboolean JNICALL JAVA(makeKey)(JNIEnv *env, jclass type, jobject key, jbyteArray point) {
    (void)type;
    secp256k1_verify_key *made =
            memory_of(env, key, sizeof *made, ALIGNMENT, "a key's memory is too small or not aligned");
    if (made == NULL) {
        return JNI_FALSE;
    }
    if ((*env)->GetArrayLength(env, point) != 64) {
        refuse(env, "a point has 64 bytes");
        return JNI_FALSE;
    }
    uint8_t bytes[64];
    (*env)->GetByteArrayRegion(env, point, 0, sizeof bytes, (jbyte *)bytes);
    return secp256k1_verify_key_init(made, bytes) ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT void JNICALL JAVA(buildKeyTable)(JNIEnv *env, jclass type, jobject table, jobject key, jint backend) {
    (void)type;
    secp256k1_affine *entries =
            memory_of(env, table, KEY_TABLE_SIZE, ALIGNMENT, "a table's memory is too small or not aligned");
    const secp256k1_group *group = entries == NULL ? NULL : group_of(env, backend);
    if (group == NULL) {
        return;
    }
    const secp256k1_verify_key *of =
            memory_of(env, key, sizeof *of, ALIGNMENT, "a key's memory is too small or not aligned");
    if (of != NULL) {
        group->build_table_var(entries, &of->point, SECP256K1_KEY_BITS);
    }
}

JNIEXPORT void JNICALL JAVA(buildGeneratorTable)(JNIEnv *env, jclass type, jobject table, jint backend) {
    (void)type;
    secp256k1_affine *entries =
            memory_of(env, table, GENERATOR_TABLE_SIZE, ALIGNMENT, "a table's memory is too small or not aligned");
    const secp256k1_group *group = entries == NULL ? NULL : group_of(env, backend);
    if (group != NULL) {
        group->build_table_var(entries, &secp256k1_generator, SECP256K1_GENERATOR_BITS);
    }
}

JNIEXPORT jint JNICALL JAVA(verify)(JNIEnv *env, jclass type, jobject records, jobject states, jint count,
        jobject generator, jint backend, jobject scratch) {
    (void)type;
    const secp256k1_group *group = count < 0 ? NULL : group_of(env, backend);
    if (group == NULL) {
        return 0;
    }
    static const verification_layout layout = {
            .record_size = sizeof(secp256k1_verify_record),
            .table_size = GENERATOR_TABLE_SIZE,
            .scratch_size = SECP256K1_VERIFY_SCRATCH_SIZE,
            .alignment = ALIGNMENT,
    };
    verification_memory given;
    if (!find_verification_memory(env, &layout, count, records, states, generator, scratch, &given)) {
        return 0;
    }
    return secp256k1_verify_var(given.records, given.verdicts, count, given.table, group, given.scratch);
}
