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

#endif
