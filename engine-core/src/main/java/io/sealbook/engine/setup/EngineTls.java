package io.sealbook.engine.setup;

import io.sealbook.access.role.RoleVerifier;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the engine's ports and its connections to nodes are protected with. With TLS callers prove their roles too.
 *
 * @param identity empty without TLS
 * @param terms returns what has the keys of roles at present; the same object until they change
 */
public record EngineTls(Optional<TlsIdentity> identity, Supplier<Genesis> terms) {
    /** Plain connections. */
    public static final EngineTls OFF = new EngineTls(Optional.empty(), Genesis::getDefaultInstance);

    /**
     * Reads certificate, key and trusted certificates of an engine, unless its settings say that there is no TLS.
     *
     * @param settings name the files
     * @param directory of the engine's node
     * @param terms returns what has the keys of roles at present; the same object until they change
     * @throws UncheckedIOException if a file cannot be used; the message names it
     */
    public static EngineTls open(TlsSettings settings, EngineDirectory directory, Supplier<Genesis> terms) {
        return open(settings, directory, terms, Optional.empty());
    }

    /**
     * As {@link #open(TlsSettings, EngineDirectory, Supplier)}, in a process that may have opened the same files.
     *
     * @param settings name the files
     * @param directory of the engine's node
     * @param terms returns what has the keys of roles at present; the same object until they change
     * @param opened shared if it has these settings: a passphrase is needed once
     * @throws UncheckedIOException if a file cannot be used; the message names it
     */
    public static EngineTls open(
            TlsSettings settings, EngineDirectory directory, Supplier<Genesis> terms, Optional<TlsIdentity> opened) {
        TlsSettings own = settings.in(directory.root());
        if (opened.isPresent() && opened.get().settings().equals(own)) {
            return new EngineTls(opened, terms);
        }
        try {
            return new EngineTls(own.open(), terms);
        } catch (IOException e) {
            throw new UncheckedIOException("sealbook.engine", e);
        }
    }

    /** Returns what judges callers; empty without TLS. */
    public Optional<RoleVerifier> roles() {
        return identity.map(present -> RoleVerifier.of(terms));
    }
}
