package io.sealbook.access.role;

import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.RoleStatement;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Judges the statements that callers send. A connection has one statement: its verdict is kept with the session of TLS,
 * so that a caller costs one verification per connection, however many calls and statements it sends. Any thread.
 */
public final class RoleVerifier {
    private static final String VERDICT = "sealbook.role";

    private final long chainId;
    private final RoleKeys keys;
    private final SignatureVerifier signatures;

    /** What was found about the first statement of a connection. */
    private record Verdict(byte[] statement, Optional<Caller> caller) {}

    /**
     * Makes a verifier.
     *
     * @param genesis has the keys
     * @param signatures stays the caller's
     */
    public RoleVerifier(Genesis genesis, SignatureVerifier signatures) {
        this.chainId = genesis.getChainId();
        this.keys = new RoleKeys(genesis);
        this.signatures = signatures;
    }

    /** Returns a verifier for the callers of a port, of whom few come at once. */
    public static RoleVerifier of(Genesis genesis) {
        return new RoleVerifier(genesis, SignatureProviders.named(BouncyCastleProvider.NAME));
    }

    /**
     * Returns who is at the other end of a connection.
     *
     * @param session of the connection, on which the other side has shown a trusted certificate
     * @param statement that came with the call
     * @return empty if the statement is wrong, or is not the first one of the connection
     */
    public Optional<Caller> caller(SSLSession session, byte[] statement) {
        Verdict verdict = (Verdict) session.getValue(VERDICT);
        if (verdict == null) {
            verdict = new Verdict(statement.clone(), judge(session, statement));
            session.putValue(VERDICT, verdict);
        }
        return Arrays.equals(verdict.statement, statement) ? verdict.caller : Optional.empty();
    }

    private Optional<Caller> judge(SSLSession session, byte[] statement) {
        try {
            Certificate shown = session.getPeerCertificates()[0];
            return shown instanceof X509Certificate certificate ? judge(certificate, statement) : Optional.empty();
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }

    /**
     * Judges a statement.
     *
     * @param certificate that its sender has shown in the handshake
     * @param statement that it sent
     * @return who it is; empty if the statement is wrong
     */
    public Optional<Caller> judge(X509Certificate certificate, byte[] statement) {
        try {
            RoleStatement said = RoleStatement.decode(statement);
            Optional<VerificationKey> key = keys.key(said.role(), said.id(), said.keyId());
            return key.filter(known -> isSignedBy(known, said, certificate))
                    .map(known -> new Caller(said.role(), said.id()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private boolean isSignedBy(VerificationKey key, RoleStatement said, X509Certificate certificate) {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key, said.signedBytes(chainId, certificate), said.signature());
        return signatures.verify(batch) == 1;
    }
}
