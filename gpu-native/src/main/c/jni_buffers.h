/* Direct buffers of Java and what they must be; for jni_*.c. */
#ifndef SEALBOOK_JNI_BUFFERS_H
#define SEALBOOK_JNI_BUFFERS_H

#include <jni.h>
#include <stddef.h>
#include <stdint.h>

/* Throws IllegalArgumentException. */
static inline void refuse(JNIEnv *env, const char *what) {
    jclass type = (*env)->FindClass(env, "java/lang/IllegalArgumentException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, what);
    }
}

/*
 * Returns the memory of a direct buffer of at least size bytes, aligned as asked; NULL, an exception pending, when it
 * is not that.
 */
static inline void *memory_of(JNIEnv *env, jobject buffer, size_t size, uintptr_t alignment, const char *what) {
    void *memory = buffer == NULL ? NULL : (*env)->GetDirectBufferAddress(env, buffer);
    if (memory == NULL || (*env)->GetDirectBufferCapacity(env, buffer) < (jlong)size
            || ((uintptr_t)memory & (alignment - 1)) != 0) {
        refuse(env, what);
        return NULL;
    }
    return memory;
}

/* What one call of verify reads and writes. */
typedef struct {
    const void *records;
    uint8_t *verdicts;
    const void *table;
    void *scratch;
} verification_memory;

/* Sizes and alignment, in bytes, of what a scheme's verify takes. */
typedef struct {
    size_t record_size;
    size_t table_size;
    size_t scratch_size;
    uintptr_t alignment;
} verification_layout;

/* Finds the memory of count records; returns 0, an exception pending, if a buffer does not hold what it must. */
static inline int find_verification_memory(JNIEnv *env, const verification_layout *layout, jint count, jobject records,
        jobject states, jobject generator, jobject scratch, verification_memory *found) {
    found->records = memory_of(env, records, (size_t)count * layout->record_size, 8,
            "there are fewer records than said, or they are not aligned");
    if (found->records == NULL) {
        return 0;
    }
    found->verdicts = memory_of(env, states, (size_t)count, 1, "there are fewer states than records");
    if (found->verdicts == NULL) {
        return 0;
    }
    found->table = memory_of(
            env, generator, layout->table_size, layout->alignment, "the generator's table is too small or not aligned");
    if (found->table == NULL) {
        return 0;
    }
    found->scratch = memory_of(
            env, scratch, layout->scratch_size, layout->alignment, "scratch memory is too small or not aligned");
    return found->scratch != NULL;
}

#endif
