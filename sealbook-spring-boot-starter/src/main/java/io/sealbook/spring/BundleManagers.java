package io.sealbook.spring;

import io.sealbook.tls.ExchangedKeyManager;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * Certificate, key and authorities of an {@link SslBundle} as they are when a handshake begins: a bundle that Boot
 * reloads counts from the next connection on. A bundle that cannot be used leaves what is in use. Any thread.
 */
final class BundleManagers implements Consumer<SslBundle> {
    private static final Log LOG = LogFactory.getLog(BundleManagers.class);

    private final String name;
    private volatile X509ExtendedKeyManager keys;
    private volatile X509ExtendedTrustManager trust;

    /**
     * Follows a bundle.
     *
     * @param name of the bundle
     * @param bundles have it
     */
    BundleManagers(String name, SslBundles bundles) {
        this.name = name;
        use(bundles.getBundle(name));
        bundles.addBundleUpdateHandler(name, this);
    }

    @Override
    public void accept(SslBundle bundle) {
        try {
            use(bundle);
            LOG.info("SSL bundle " + name + " loaded again");
        } catch (RuntimeException e) {
            LOG.warn("SSL bundle " + name + " cannot be used; what was in use before stays", e);
        }
    }

    private void use(SslBundle bundle) {
        X509ExtendedKeyManager newKeys =
                only(X509ExtendedKeyManager.class, bundle.getManagers().getKeyManagers());
        X509ExtendedTrustManager newTrust =
                only(X509ExtendedTrustManager.class, bundle.getManagers().getTrustManagers());
        keys = newKeys;
        trust = newTrust;
    }

    private <T> T only(Class<T> type, Object[] managers) {
        return Arrays.stream(managers)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("SSL bundle " + name + " has no " + type.getSimpleName()));
    }

    /** Returns what shows the certificate. */
    KeyManager[] keys() {
        return new KeyManager[] {new Keys()};
    }

    /** Returns what checks the certificate of the other side. */
    TrustManager[] trust() {
        return new TrustManager[] {new Trust()};
    }

    private final class Keys extends ExchangedKeyManager {
        @Override
        protected X509ExtendedKeyManager current() {
            return keys;
        }
    }

    private final class Trust extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            trust.checkServerTrusted(chain, authType, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            trust.checkServerTrusted(chain, authType, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            trust.checkServerTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            trust.checkClientTrusted(chain, authType, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            trust.checkClientTrusted(chain, authType, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            trust.checkClientTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trust.getAcceptedIssuers();
        }
    }
}
