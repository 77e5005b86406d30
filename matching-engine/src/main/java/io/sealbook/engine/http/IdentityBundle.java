package io.sealbook.engine.http;

import io.sealbook.tls.TlsIdentity;
import java.security.KeyStore;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * The engine's TLS as Spring Boot knows it. Boot configures connectors by it, and its health and metrics watch how long
 * the certificate is valid: they see the one that handshakes show. {@link LimitedHttpProtocol} judges clients.
 *
 * @param identity of the engine
 */
record IdentityBundle(TlsIdentity identity) implements SslStoreBundle {
    static final String NAME = "sealbook";

    /** Returns the bundle of an identity. */
    static SslBundle of(TlsIdentity identity) {
        return SslBundle.of(
                new IdentityBundle(identity),
                SslBundleKey.NONE,
                SslOptions.of(null, new String[] {TlsIdentity.PROTOCOL}),
                TlsIdentity.PROTOCOL);
    }

    @Override
    public KeyStore getKeyStore() {
        return identity.keyStore();
    }

    @Override
    public String getKeyStorePassword() {
        return "";
    }

    @Override
    public KeyStore getTrustStore() {
        return null;
    }
}
