package io.sealbook.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The kernels as the driver takes them: PTX text, which the driver compiles for its device and keeps in its own cache.
 *
 * @param text what {@code cuModuleLoadData} is given
 */
record KernelImage(String text) {
    static final String RESOURCE = "sealbook.ptx";

    static final String VERIFY_KNOWN_KEYS = "sm2_verify_known_keys";
    static final String VERIFY_ANY_KEYS = "sm2_verify_any_keys";
    static final String MAKE_TABLES = "sm2_make_tables";
    static final String MULTIPLY_CHAIN = "sm2_fe_multiply_chain";

    /** Returns the PTX that this module carries. */
    static KernelImage ofResource() {
        try (InputStream resource = KernelImage.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException(RESOURCE + " is missing from this jar");
            }
            return new KernelImage(new String(resource.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
