/**
 * The SBE layout of {@code orders.xml} written and read with ByteBuffer, so that brokers need neither Agrona nor JVM
 * flags. A contract test in {@code perf} holds it to the generated flyweights, byte for byte.
 */
package io.sealbook.client.codec;
