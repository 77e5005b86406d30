package io.sealbook.tls.role;

import io.grpc.CallCredentials;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Status;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;

/**
 * Adds the caller's statement to each call of gRPC, made for the certificate that the connection of the call has shown.
 * A connection without one gets none. One signature per certificate: a server takes one statement per connection, and a
 * hardware module makes another one each time. Any thread.
 */
public final class RoleCredentials extends CallCredentials {
    static final Metadata.Key<byte[]> KEY =
            Metadata.Key.of(RoleStatement.HEADER + "-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Certificates whose connections may live side by side, after renewals. */
    private static final int CERTIFICATES_MAX = 8;

    private final RoleHolder holder;
    /** The certificate that was asked for longest ago goes first. */
    private final Map<X509Certificate, CompletableFuture<byte[]>> statements = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<X509Certificate, CompletableFuture<byte[]>> eldest) {
            return size() > CERTIFICATES_MAX;
        }
    };

    /** @param holder signs */
    public RoleCredentials(RoleHolder holder) {
        this.holder = holder;
    }

    @Override
    public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
        SSLSession session = call.getTransportAttrs().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null || session.getLocalCertificates() == null) {
            applier.apply(new Metadata());
            return;
        }
        executor.execute(() -> {
            try {
                Metadata headers = new Metadata();
                headers.put(KEY, statement((X509Certificate) session.getLocalCertificates()[0]));
                applier.apply(headers);
            } catch (RuntimeException e) {
                applier.fail(Status.UNAUTHENTICATED
                        .withDescription("no statement of the role can be made")
                        .withCause(e));
            }
        });
    }

    /**
     * Returns the same bytes each time; not to be changed. A module that signs slowly holds up no other certificate.
     */
    byte[] statement(X509Certificate certificate) {
        CompletableFuture<byte[]> made = new CompletableFuture<>();
        CompletableFuture<byte[]> known;
        synchronized (statements) {
            known = statements.putIfAbsent(certificate, made);
        }
        if (known != null) {
            return known.join();
        }
        try {
            made.complete(RoleStatement.make(holder, certificate).encode());
        } catch (RuntimeException | Error e) {
            synchronized (statements) {
                statements.remove(certificate, made);
            }
            made.completeExceptionally(e);
        }
        return made.join();
    }

    /**
     * Returns the statement that a call came with.
     *
     * @param headers of the call
     * @return null if it has none
     */
    public static byte[] statementOf(Metadata headers) {
        return headers.get(KEY);
    }
}
