package io.sealbook.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Answers as the key manager that is in use at the call: it may be exchanged while the process runs. Any thread. */
public abstract class ExchangedKeyManager extends X509ExtendedKeyManager {
    /** Returns the key manager in use. */
    protected abstract X509ExtendedKeyManager current();

    /** Looks for another one, before a handshake chooses its certificate. */
    protected void refresh() {}

    private X509ExtendedKeyManager refreshed() {
        refresh();
        return current();
    }

    @Override
    public final String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return refreshed().chooseEngineClientAlias(keyTypes, issuers, engine);
    }

    @Override
    public final String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return refreshed().chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public final String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return refreshed().chooseClientAlias(keyTypes, issuers, socket);
    }

    @Override
    public final String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return refreshed().chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public final X509Certificate[] getCertificateChain(String alias) {
        return current().getCertificateChain(alias);
    }

    @Override
    public final PrivateKey getPrivateKey(String alias) {
        return current().getPrivateKey(alias);
    }

    @Override
    public final String[] getClientAliases(String keyType, Principal[] issuers) {
        return current().getClientAliases(keyType, issuers);
    }

    @Override
    public final String[] getServerAliases(String keyType, Principal[] issuers) {
        return current().getServerAliases(keyType, issuers);
    }
}
