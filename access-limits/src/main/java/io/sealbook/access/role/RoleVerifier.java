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
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Judges the statements that callers send. A connection has one statement: its verdict is kept with the session of TLS,
 * so that a caller costs one verification per connection, however many calls and statements it sends. The verdict ends
 * with the key. The terms are read at the first statement, so that a verifier may be made before them. Any thread.
 */
public final class RoleVerifier {
    private static final String VERDICT = "sealbook.role";

    private final Supplier<Genesis> terms;
    private final SignatureVerifier signatures;
    /** Null before the first statement. */
    private volatile RoleKeys known;

    /**
     * What was found about the first statement of a connection.
     *
     * @param statement as it came
     * @param keys by which it was judged
     * @param caller empty if it is wrong
     */
    private record Verdict(byte[] statement, RoleKeys keys, Optional<Caller> caller) {}

    /**
     * Makes a verifier.
     *
     * @param terms returns what has the keys at present, each on its curve; the same object until they change
     * @param signatures stays the caller's
     */
    public RoleVerifier(Supplier<Genesis> terms, SignatureVerifier signatures) {
        this.terms = terms;
        this.signatures = signatures;
    }

    /** Returns a verifier for the callers of a port, of whom few come at once. */
    public static RoleVerifier of(Genesis genesis) {
        return of(() -> genesis);
    }

    /**
     * Returns a verifier for the callers of a port, of whom few come at once.
     *
     * @param terms returns what has the keys at present; the same object until they change
     */
    public static RoleVerifier of(Supplier<Genesis> terms) {
        return new RoleVerifier(terms, SignatureProviders.named(BouncyCastleProvider.NAME));
    }

    private RoleKeys keys() {
        Genesis present = terms.get();
        RoleKeys keys = known;
        if (keys == null || !keys.isOf(present)) {
            keys = new RoleKeys(present);
            known = keys;
        }
        return keys;
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
        RoleKeys keys = keys();
        if (verdict == null) {
            verdict = new Verdict(statement.clone(), keys, judge(session, keys, statement));
            session.putValue(VERDICT, verdict);
        } else if (verdict.keys != keys) {
            verdict = new Verdict(verdict.statement, keys, reviewed(session, keys, verdict));
            session.putValue(VERDICT, verdict);
        }
        return Arrays.equals(verdict.statement, statement) ? verdict.caller : Optional.empty();
    }

    /** The signature under the same key need not be verified again; a replaced node has another key under its id. */
    private Optional<Caller> reviewed(SSLSession session, RoleKeys keys, Verdict before) {
        return before.caller.isPresent()
                ? before.caller.filter(caller -> hasItsKey(keys, before))
                : judge(session, keys, before.statement);
    }

    private static boolean hasItsKey(RoleKeys keys, Verdict proven) {
        RoleStatement said = RoleStatement.decode(proven.statement);
        Optional<VerificationKey> present = keys.key(said.role(), said.id(), said.keyId());
        return present.isPresent() && present.equals(proven.keys.key(said.role(), said.id(), said.keyId()));
    }

    /**
     * Returns whether a connection has the role that it has proven still; true if it has proven none.
     *
     * @param session of the connection
     */
    boolean isInOffice(SSLSession session) {
        Verdict verdict = (Verdict) session.getValue(VERDICT);
        return verdict == null || verdict.caller.isEmpty() || hasItsKey(keys(), verdict);
    }

    private Optional<Caller> judge(SSLSession session, RoleKeys keys, byte[] statement) {
        try {
            Certificate shown = session.getPeerCertificates()[0];
            return shown instanceof X509Certificate certificate
                    ? judge(certificate, keys, statement)
                    : Optional.empty();
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
        return judge(certificate, keys(), statement);
    }

    private Optional<Caller> judge(X509Certificate certificate, RoleKeys keys, byte[] statement) {
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
        batch.add(key, said.signedBytes(terms.get().getChainId(), certificate), said.signature());
        return signatures.verify(batch) == 1;
    }
}
