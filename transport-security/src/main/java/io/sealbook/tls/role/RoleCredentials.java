package io.sealbook.tls.role;

import io.grpc.CallCredentials;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Status;
import java.security.cert.X509Certificate;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLSession;

/**
 * Adds the caller's statement to each call of gRPC, made for the certificate that the connection of the call has shown.
 * A connection without one gets none. One signature per certificate; any thread.
 */
public final class RoleCredentials extends CallCredentials {
    static final Metadata.Key<byte[]> KEY =
            Metadata.Key.of(RoleStatement.HEADER + "-bin", Metadata.BINARY_BYTE_MARSHALLER);

    private final RoleHolder holder;
    private volatile Made made;

    /** The statement for a certificate. */
    private record Made(X509Certificate certificate, byte[] statement) {}

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

    private byte[] statement(X509Certificate certificate) {
        Made known = made;
        if (known == null || !known.certificate.equals(certificate)) {
            known = new Made(
                    certificate, RoleStatement.make(holder, certificate).encode());
            made = known;
        }
        return known.statement;
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
