/*
 * JNI functions of io.sealbook.nativecode.NativeVerification: check buffers, then hand them to sm2_verify.h. Buffers
 * are direct. One that is too short or badly aligned is an IllegalArgumentException, and nothing is done.
 */
#include "jni_buffers.h"
#include "sm2_verify.h"

#define JAVA(name) Java_io_sealbook_nativecode_NativeVerification_##name

static int is_backend(JNIEnv *env, jint backend) {
    if (backend < SM2_VERIFY_PORTABLE || backend > (jint)sm2_verify_best_backend()) {
        refuse(env, "this processor has no such backend");
        return 0;
    }
    return 1;
}

JNIEXPORT jint JNICALL JAVA(bestBackend)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return (jint)sm2_verify_best_backend();
}

JNIEXPORT jint JNICALL JAVA(scratchSize)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return SM2_VERIFY_SCRATCH_SIZE;
}

JNIEXPORT jint JNICALL JAVA(keyTableSize)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return (jint)(sm2_tables_entries(SM2_TABLES_KEY_BITS) * sizeof(sm2_ge_affine));
}

JNIEXPORT jint JNICALL JAVA(generatorTableSize)(JNIEnv *env, jclass type) {
    (void)env, (void)type;
    return (jint)(sm2_tables_entries(SM2_TABLES_GENERATOR_BITS) * sizeof(sm2_ge_affine));
}

JNIEXPORT jlong JNICALL JAVA(address)(JNIEnv *env, jclass type, jobject buffer) {
    (void)type;
    return (jlong)(uintptr_t)memory_of(env, buffer, 0, SM2_TABLES_ALIGNMENT, "not an aligned direct buffer");
}

JNIEXPORT jboolean JNICALL JAVA(makeKey)(JNIEnv *env, jclass type, jobject key, jbyteArray point, jbyteArray z) {
    (void)type;
    sm2_verify_key *made =
            memory_of(env, key, sizeof *made, SM2_TABLES_ALIGNMENT, "a key's memory is too small or not aligned");
    if (made == NULL) {
        return JNI_FALSE;
    }
    if ((*env)->GetArrayLength(env, point) != 64 || (*env)->GetArrayLength(env, z) != 32) {
        refuse(env, "a point has 64 bytes and Z has 32");
        return JNI_FALSE;
    }
    jbyte bytes[64 + 32];
    (*env)->GetByteArrayRegion(env, point, 0, 64, bytes);
    (*env)->GetByteArrayRegion(env, z, 0, 32, bytes + 64);
    return sm2_verify_key_init(made, (const uint8_t *)bytes, (const uint8_t *)bytes + 64) ? JNI_TRUE : JNI_FALSE;
}

JNIEXPORT void JNICALL JAVA(buildKeyTable)(JNIEnv *env, jclass type, jobject table, jobject key, jint backend) {
    (void)type;
    size_t size = sm2_tables_entries(SM2_TABLES_KEY_BITS) * sizeof(sm2_ge_affine);
    sm2_ge_affine *entries =
            memory_of(env, table, size, SM2_TABLES_ALIGNMENT, "a table's memory is too small or not aligned");
    if (entries == NULL || !is_backend(env, backend)) {
        return;
    }
    const sm2_verify_key *of =
            memory_of(env, key, sizeof *of, SM2_TABLES_ALIGNMENT, "a key's memory is too small or not aligned");
    if (of != NULL) {
        sm2_tables_build_var(
                entries, &of->point, SM2_TABLES_KEY_BITS, sm2_verify_table_form((sm2_verify_backend)backend));
    }
}

JNIEXPORT void JNICALL JAVA(buildGeneratorTable)(JNIEnv *env, jclass type, jobject table, jint backend) {
    (void)type;
    size_t size = sm2_tables_entries(SM2_TABLES_GENERATOR_BITS) * sizeof(sm2_ge_affine);
    sm2_ge_affine *entries =
            memory_of(env, table, size, SM2_TABLES_ALIGNMENT, "a table's memory is too small or not aligned");
    if (entries != NULL && is_backend(env, backend)) {
        sm2_tables_build_var(entries, &sm2_ge_generator, SM2_TABLES_GENERATOR_BITS,
                sm2_verify_table_form((sm2_verify_backend)backend));
    }
}

JNIEXPORT jint JNICALL JAVA(verify)(JNIEnv *env, jclass type, jobject records, jobject states, jint count,
        jobject generator, jint backend, jobject scratch) {
    (void)type;
    if (count < 0 || !is_backend(env, backend)) {
        return 0;
    }
    const verification_layout layout = {
            .record_size = sizeof(sm2_verify_record),
            .table_size = sm2_tables_entries(SM2_TABLES_GENERATOR_BITS) * sizeof(sm2_ge_affine),
            .scratch_size = SM2_VERIFY_SCRATCH_SIZE,
            .alignment = SM2_TABLES_ALIGNMENT,
    };
    verification_memory given;
    if (!find_verification_memory(env, &layout, count, records, states, generator, scratch, &given)) {
        return 0;
    }
    return sm2_verify_var(
            given.records, given.verdicts, count, given.table, (sm2_verify_backend)backend, given.scratch);
}
