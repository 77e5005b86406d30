package io.sealbook.engine.setup;

import io.sealbook.access.role.RoleVerifier;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * What the engine's ports and its connections to nodes are protected with. With TLS callers prove their roles too.
 *
 * @param identity empty without TLS
 * @param genesis has the keys of roles
 */
public record EngineTls(Optional<TlsIdentity> identity, Genesis genesis) {
    /** Plain connections. */
    public static final EngineTls OFF = new EngineTls(Optional.empty(), Genesis.getDefaultInstance());

    /**
     * Reads certificate, key and trusted certificates of an engine, unless its settings say that there is no TLS.
     *
     * @param settings name the files
     * @param directory of the engine's node
     * @param genesis has the keys of roles
     * @throws UncheckedIOException if a file cannot be used; the message names it
     */
    public static EngineTls open(TlsSettings settings, EngineDirectory directory, Genesis genesis) {
        try {
            return new EngineTls(settings.in(directory.root()).open(), genesis);
        } catch (IOException e) {
            throw new UncheckedIOException("sealbook.engine", e);
        }
    }

    /** Returns what judges callers; empty without TLS. */
    public Optional<RoleVerifier> roles() {
        return identity.map(present -> RoleVerifier.of(genesis));
    }
}
