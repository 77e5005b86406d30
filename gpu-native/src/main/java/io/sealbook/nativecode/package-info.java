/**
 * Signatures in C on the processor, reached through JNI; where the library cannot be loaded, its providers say so and
 * are passed over.
 */
package io.sealbook.nativecode;
