/**
 * The accelerator behind {@link io.sealbook.crypto.SignatureProvider}: the CUDA devices of the machine, and whether one
 * can verify.
 *
 * <p>Nothing else in the platform names this package; it is found by {@link java.util.ServiceLoader} where its jar is
 * on the class path.
 */
package io.sealbook.gpu;
