package io.sealbook.tls;

import io.grpc.util.AdvancedTlsX509KeyManager;
import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Shows the certificate that is in its file when a handshake begins. Any thread. */
final class ReloadedKeyManager extends X509ExtendedKeyManager {
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
    TlsFiles.Identity current() {
        files.refresh();
        return shown;
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        files.refresh();
        return current.chooseEngineClientAlias(keyTypes, issuers, engine);
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        files.refresh();
        return current.chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        files.refresh();
        return current.chooseClientAlias(keyTypes, issuers, socket);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        files.refresh();
        return current.chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return current.getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return current.getPrivateKey(alias);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return current.getClientAliases(keyType, issuers);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return current.getServerAliases(keyType, issuers);
    }
}
