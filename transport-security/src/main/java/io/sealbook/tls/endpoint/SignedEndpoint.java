package io.sealbook.tls.endpoint;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.EndpointStatement;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;

/**
 * The addresses of a node as it signed them itself. Its form has been checked; {@link #isGenuine} checks its signature.
 * Immutable; any thread.
 *
 * @param record as it travels
 * @param statement decoded
 */
public record SignedEndpoint(EndpointRecord record, EndpointStatement statement) {
    /** Bytes of a record at most. */
    public static final int LENGTH_MAX = 1_024;

    private static final int PORT_MAX = 0xFFFF;
    private static final byte[] TAG = "SBENDPT1".getBytes(StandardCharsets.US_ASCII);
    private static final SignatureVerifier SIGNATURES = SignatureProviders.named(BouncyCastleProvider.NAME);

    /**
     * Makes the record of a node.
     *
     * @param chainId of the genesis file
     * @param serial above that of each record that the node has made
     * @param issuedMs milliseconds since 1970
     * @param address host and ports of this node count, and its identity
     * @param identity signs as the node
     * @throws IllegalArgumentException if the addresses have no valid form
     */
    public static SignedEndpoint sign(long chainId, long serial, long issuedMs, Node address, Signer identity) {
        ByteString statement = EndpointStatement.newBuilder()
                .setChainId(chainId)
                .setIdentity(address.getIdentity())
                .setSerial(serial)
                .setIssuedMs(issuedMs)
                .setHost(address.getHost())
                .setVotePort(address.getVotePort())
                .setPayloadPort(address.getPayloadPort())
                .setGatewayPort(address.getGatewayPort())
                .setEnginePort(address.getEnginePort())
                .build()
                .toByteString();
        return read(
                EndpointRecord.newBuilder()
                        .setStatement(statement)
                        .setSignature(ByteString.copyFrom(identity.sign(signedBytes(statement))))
                        .build(),
                chainId);
    }

    /**
     * Reads a record and checks its form and chain, not its signature.
     *
     * @param record as it came
     * @param chainId of the genesis file
     * @throws IllegalArgumentException if anything is wrong; the message names the fact
     */
    public static SignedEndpoint read(EndpointRecord record, long chainId) {
        require(
                record.getSerializedSize() <= LENGTH_MAX,
                "record of " + record.getSerializedSize() + " bytes, at most " + LENGTH_MAX);
        require(
                record.getSignature().size() == SignatureScheme.SIGNATURE_LENGTH,
                "signature of " + record.getSignature().size() + " bytes, expected "
                        + SignatureScheme.SIGNATURE_LENGTH);
        EndpointStatement statement;
        try {
            statement = EndpointStatement.parseFrom(record.getStatement());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("no statement: " + e.getMessage(), e);
        }
        require(
                statement.getChainId() == chainId,
                "record of chain " + Long.toUnsignedString(statement.getChainId()) + ", this is "
                        + Long.toUnsignedString(chainId));
        require(statement.getSerial() != 0, "serial number 0, the first is 1");
        require(HostPort.isHost(statement.getHost()), "host is not a " + HostPort.HOST_FORM);
        requirePort("vote", statement.getVotePort());
        requirePort("payload", statement.getPayloadPort());
        requirePort("gateway", statement.getGatewayPort());
        requirePort("engine", statement.getEnginePort());
        return new SignedEndpoint(record, statement);
    }

    private static void requirePort(String name, int port) {
        require(0 <= port && port <= PORT_MAX, name + " port " + Integer.toUnsignedString(port));
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }

    private static byte[] signedBytes(ByteString statement) {
        byte[] digest = Digest.sha256(statement.toByteArray()).bytes();
        byte[] signed = new byte[TAG.length + digest.length];
        System.arraycopy(TAG, 0, signed, 0, TAG.length);
        System.arraycopy(digest, 0, signed, TAG.length, digest.length);
        return signed;
    }

    /** Returns whether the key in the statement has signed it. It costs the verification of a signature. */
    public boolean isGenuine() {
        try {
            PublicKey identity = statement.getIdentity();
            VerificationKey key = VerificationKey.of(
                    SignatureScheme.of(identity.getSchemeValue()),
                    identity.getPoint().toByteArray());
            SignatureBatch one = new SignatureBatch(1);
            one.add(
                    key,
                    signedBytes(record.getStatement()),
                    record.getSignature().toByteArray());
            return SIGNATURES.verify(one) == 1;
        } catch (IllegalArgumentException e) {
            // No key of a curve that there is.
            return false;
        }
    }

    /** Returns the node's identity key. */
    public PublicKey identity() {
        return statement.getIdentity();
    }

    /** Returns the serial number, unsigned. */
    public long serial() {
        return statement.getSerial();
    }

    /** Returns whether this record counts in place of another one of its node. */
    public boolean isNewerThan(SignedEndpoint other) {
        int order = Long.compareUnsigned(serial(), other.serial());
        return order > 0 || order == 0 && statement.getIssuedMs() > other.statement.getIssuedMs();
    }

    /** Returns a node with the addresses of this record. */
    public Node in(Node node) {
        return node.toBuilder()
                .setHost(statement.getHost())
                .setVotePort(statement.getVotePort())
                .setPayloadPort(statement.getPayloadPort())
                .setGatewayPort(statement.getGatewayPort())
                .setEnginePort(statement.getEnginePort())
                .build();
    }
}
