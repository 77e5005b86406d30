package io.sealbook.consensus.config;

import io.sealbook.crypto.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns at a start of key files that others than their owner may use. Any thread. */
public final class KeyModes {
    private static final Logger log = LoggerFactory.getLogger(KeyModes.class);

    private KeyModes() {}

    /**
     * Warns if others may use a file.
     *
     * @param file that exists
     * @throws IOException if its mode cannot be read
     */
    public static void check(Path file) throws IOException {
        SecretFile.fault(file).ifPresent(fault -> log.warn("key file {}", fault));
    }
}
