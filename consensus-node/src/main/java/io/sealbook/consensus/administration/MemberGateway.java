package io.sealbook.consensus.administration;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.config.FollowerConfig;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.Pkcs11KeyFile;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.EndpointRecords;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetMembershipProofRequest;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MembershipProofPart;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.endpoint.HostPort;
import io.sealbook.tls.endpoint.UnreachableChannel;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Calls of an operator at the gateway of a node: as a member, if the directory has a member's key. Any thread. */
public final class MemberGateway implements AutoCloseable {
    private static final int PROOF_LENGTH_MAX = 64 << 20;

    /** Opens the key of a directory, or does not. */
    private interface KeyOpener {
        Signer open(Path file, PassphraseSettings passphrase) throws IOException;
    }

    private final ManagedChannel channel;
    private final OrderGatewayGrpc.OrderGatewayBlockingStub gateway;
    private final long timeoutMs;

    /**
     * What the calls are made with.
     *
     * @param genesis of the chain
     * @param tls empty for plain connections
     * @param role empty if the directory has no key, and without TLS
     */
    public record Access(Genesis genesis, Optional<TlsIdentity> tls, Optional<RoleCredentials> role) {
        /** Plain connections to a node whose chain the caller need not know. */
        public static final Access PLAIN = new Access(Genesis.getDefaultInstance(), Optional.empty(), Optional.empty());

        /**
         * Returns the access that a directory gives.
         *
         * @param directory of a member's node, of a follower, or any that has the genesis file
         */
        public static Access of(Path directory) throws IOException {
            NodeDirectory files = new NodeDirectory(directory);
            Genesis genesis = files.readGenesis().genesis();
            return withRole(
                    new Access(genesis, tls(files), Optional.empty()),
                    files,
                    (file, passphrase) -> KeyFile.readSigner(file, passphrase.source()));
        }

        /**
         * Returns the access that a directory gives without a question to a person: without a role if its key needs a
         * passphrase that no setting names, or is in a hardware module, which locks itself after some wrong ones.
         *
         * @param files of a member's node, of a follower, or any that have the genesis file
         * @param tls empty for plain connections
         * @param onClosed is given why there is no role although there is a key
         */
        public static Access unattended(NodeDirectory files, Optional<TlsIdentity> tls, Consumer<String> onClosed)
                throws IOException {
            Access without = new Access(files.readGenesis().genesis(), tls, Optional.empty());
            try {
                return withRole(without, files, Access::openUnattended);
            } catch (IOException | IllegalArgumentException e) {
                onClosed.accept(FailureText.of(e));
                return without;
            }
        }

        private static Optional<TlsIdentity> tls(NodeDirectory files) throws IOException {
            if (Files.exists(files.propertiesFile())) {
                return NodeConfig.read(files).network().tls().in(files.root()).open();
            }
            return Files.exists(files.followerPropertiesFile())
                    ? FollowerConfig.read(files)
                            .network()
                            .tls()
                            .in(files.root())
                            .open()
                    : Optional.empty();
        }

        private static Signer openUnattended(Path keyFile, PassphraseSettings passphrase) throws IOException {
            if (Pkcs11KeyFile.isOne(KeyFile.content(keyFile))) {
                throw new IOException(keyFile + " names a key in a hardware module");
            }
            return KeyFile.readSigner(keyFile, passphrase.unattended());
        }

        private static Access withRole(Access without, NodeDirectory files, KeyOpener keys) throws IOException {
            if (without.tls().isEmpty()) {
                return without;
            }
            long chainId = without.genesis().getChainId();
            if (Files.exists(files.propertiesFile())) {
                NodeConfig config = NodeConfig.read(files);
                Signer key = keys.open(files.keyFile(), config.passphrase().in(files.root()));
                return without.as(new RoleHolder(chainId, Role.MEMBER, config.nodeId(), 0, key));
            }
            if (Files.exists(files.followerPropertiesFile())) {
                FollowerConfig config = FollowerConfig.read(files);
                if (config.auditorId() != 0) {
                    Signer key = keys.open(
                            files.auditorKeyFile(), config.passphrase().in(files.root()));
                    return without.as(new RoleHolder(chainId, Role.AUDITOR, config.auditorId(), 0, key));
                }
            }
            return without;
        }

        private Access as(RoleHolder holder) {
            return new Access(genesis, tls, Optional.of(new RoleCredentials(holder)));
        }

        /**
         * Returns the access of a member whose directory was read: its key is not opened again.
         *
         * @param directory of the member's node
         * @param member as the directory describes it
         */
        public static Access of(Path directory, Member member) throws IOException {
            return ofMember(
                    member.genesis().genesis(),
                    member.config().network().tls().in(directory).open(),
                    member.nodeId(),
                    member.identity());
        }

        /**
         * Returns the access of a member.
         *
         * @param genesis of the chain
         * @param tls empty for plain connections
         * @param nodeId of the member
         * @param identity signs as the member
         */
        public static Access ofMember(Genesis genesis, Optional<TlsIdentity> tls, int nodeId, Signer identity) {
            return new Access(
                    genesis,
                    tls,
                    tls.map(with -> new RoleCredentials(
                            new RoleHolder(genesis.getChainId(), Role.MEMBER, nodeId, 0, identity))));
        }
    }

    /**
     * Connects at the first call.
     *
     * @param address HOST:PORT of a gateway; calls to one of another form fail with UNAVAILABLE
     * @param access what the calls are made with
     * @param timeoutMs longest wait for an answer
     */
    public MemberGateway(String address, Access access, long timeoutMs) {
        this.channel =
                UnreachableChannel.unless(() -> NettyChannelBuilder.forTarget(address, TlsPorts.channel(access.tls()))
                        .build());
        OrderGatewayGrpc.OrderGatewayBlockingStub stub = OrderGatewayGrpc.newBlockingStub(channel);
        this.gateway = access.role().map(stub::withCallCredentials).orElse(stub);
        this.timeoutMs = timeoutMs;
    }

    /** Returns HOST:PORT of a member's gateway, with an IPv6 address in brackets. */
    public static String address(Node node) {
        return new HostPort(node.getHost(), node.getGatewayPort()).toString();
    }

    private OrderGatewayGrpc.OrderGatewayBlockingStub call() {
        return gateway.withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Returns the configuration as the node has it. */
    public MembershipView membership() {
        return call().getMembership(GetMembershipRequest.getDefaultInstance());
    }

    /** Returns the bytes of a membership proof, as the node has it; not verified. Empty beyond 64 MiB. */
    public Optional<byte[]> membershipProof() {
        ByteArrayOutputStream proof = new ByteArrayOutputStream();
        Iterator<MembershipProofPart> parts = call().getMembershipProof(GetMembershipProofRequest.getDefaultInstance());
        while (parts.hasNext()) {
            ByteString part = parts.next().getBytes();
            if (part.size() > PROOF_LENGTH_MAX - proof.size()) {
                return Optional.empty();
            }
            proof.writeBytes(part.toByteArray());
        }
        return Optional.of(proof.toByteArray());
    }

    /** Returns the newest signed addresses of nodes, as the node has them; not verified. */
    public List<EndpointRecord> endpoints() {
        return call().getEndpoints(GetEndpointsRequest.getDefaultInstance()).getRecordsList();
    }

    /** Hands signed addresses of nodes to the node; returns what {@link #endpoints} does. */
    public List<EndpointRecord> publish(List<EndpointRecord> records) {
        return call().publishEndpoints(
                        EndpointRecords.newBuilder().addAllRecords(records).build())
                .getRecordsList();
    }

    /** Returns where the next transaction of a member is in its session. */
    public BatchPosition next(int nodeId) {
        return call()
                .logon(LogonRequest.newBuilder()
                        .setBrokerId(SessionKey.ADMINISTRATION)
                        .build())
                .getSessionsList()
                .stream()
                .filter(session -> session.getSession() == nodeId)
                .findFirst()
                .map(session -> new BatchPosition(
                        nodeId,
                        session.getExpectedNumber(),
                        Digest.of(session.getPrevious().toByteArray())))
                .orElseGet(() -> BatchPosition.first(nodeId));
    }

    /** Hands in an administrative batch with its signature. */
    public SubmitReply submit(byte[] signedBatch) {
        return call().submitTransaction(SubmitTransactionRequest.newBuilder()
                .setSignedBatch(ByteString.copyFrom(signedBatch))
                .build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
