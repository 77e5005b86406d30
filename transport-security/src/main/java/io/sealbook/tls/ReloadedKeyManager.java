package io.sealbook.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import javax.net.ssl.X509ExtendedKeyManager;

/** Shows the certificate that is in its file when a handshake begins. Any thread. */
final class ReloadedKeyManager extends ExchangedKeyManager {
    private final AdvancedTlsX509KeyManager current = new AdvancedTlsX509KeyManager();
    private volatile TlsFiles.Identity shown;
    private final WatchedFiles files;

    /**
     * Reads certificate and key.
     *
     * @throws IOException if they cannot be used
     */
    ReloadedKeyManager(TlsSettings settings) throws IOException {
        IdentityFiles identities = new IdentityFiles(settings);
        files = new WatchedFiles(identities.paths(), () -> {
            TlsFiles.Identity identity = identities.read();
            current.updateIdentityCredentials(identity.chain(), identity.key());
            shown = identity;
        });
    }

    /** Looks at the files, and returns what the next handshake shows. */
    TlsFiles.Identity identity() {
        refresh();
        return shown;
    }

    @Override
    protected X509ExtendedKeyManager current() {
        return current;
    }

    @Override
    protected void refresh() {
        files.refresh();
    }
}
