package io.sealbook.engine.setup;

import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * What the engine's ports and its connections to nodes are protected with.
 *
 * @param identity empty without TLS
 */
public record EngineTls(Optional<TlsIdentity> identity) {
    /** Plain connections. */
    public static final EngineTls OFF = new EngineTls(Optional.empty());

    /**
     * Reads certificate, key and trusted certificates of an engine, unless its settings say that there is no TLS.
     *
     * @param settings name the files
     * @param directory of the engine's node
     * @throws UncheckedIOException if a file cannot be used; the message names it
     */
    public static EngineTls open(TlsSettings settings, EngineDirectory directory) {
        try {
            return new EngineTls(settings.in(directory.root()).open());
        } catch (IOException e) {
            throw new UncheckedIOException("sealbook.engine", e);
        }
    }
}
