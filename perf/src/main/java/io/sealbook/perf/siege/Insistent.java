package io.sealbook.perf.siege;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Shows one certificate to every server, also to one that names other authorities. Any thread. */
final class Insistent extends X509ExtendedKeyManager {
    private final String alias;
    private final X509ExtendedKeyManager keys;

    /**
     * @param alias of the certificate
     * @param keys has it
     */
    Insistent(String alias, X509ExtendedKeyManager keys) {
        this.alias = keys.getPrivateKey(alias) == null ? alias.toLowerCase(Locale.ROOT) : alias;
        this.keys = keys;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        return alias;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
        return alias;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
        return new String[] {alias};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
        return new String[0];
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String name) {
        return keys.getCertificateChain(name);
    }

    @Override
    public PrivateKey getPrivateKey(String name) {
        return keys.getPrivateKey(name);
    }
}
