package io.sealbook.peer;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Four nodes with identities of both schemes and a genesis file with free ports. */
final class Members {
    static final long CHAIN_ID = 42;
    static final Epoch EPOCH = Epoch.first(CHAIN_ID);
    static final SignatureVerifier VERIFIER = SignatureProviders.named("bc");

    private static PortBlock block;
    private static int portsTaken;

    final List<Signer> signers = new ArrayList<>();
    final GenesisFile genesis;

    private Members(int count, List<Integer> ports) {
        Genesis.Builder builder = Genesis.newBuilder().setChainId(CHAIN_ID);
        for (int i = 0; i < count; i++) {
            SignatureScheme scheme = i % 2 == 0 ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256;
            Signer signer = Signers.generate(scheme);
            signers.add(signer);
            builder.addNodes(Node.newBuilder()
                    .setNodeId(i)
                    .setHost("127.0.0.1")
                    .setVotePort(ports.get(2 * i))
                    .setPayloadPort(ports.get(2 * i + 1))
                    .setIdentity(PublicKey.newBuilder()
                            .setSchemeValue(scheme.code())
                            .setPoint(
                                    ByteString.copyFrom(signer.verificationKey().point()))));
        }
        genesis = GenesisFile.parse(GenesisFile.toJson(builder.build()).getBytes(StandardCharsets.UTF_8));
    }

    static Members four() throws IOException {
        return new Members(4, takePorts(8));
    }

    int votePort(int node) {
        return genesis.genesis().getNodes(node).getVotePort();
    }

    int payloadPort(int node) {
        return genesis.genesis().getNodes(node).getPayloadPort();
    }

    PeerConfig config(int node, PeerConfig.Offload offload, PeerLimits limits) {
        return config(node, EpochNodes.first(genesis), signers.get(node), offload, limits);
    }

    static PeerConfig config(
            int node, EpochNodes nodes, Signer identity, PeerConfig.Offload offload, PeerLimits limits) {
        return new PeerConfig(
                node, nodes, identity, VERIFIER, "127.0.0.1", offload, limits, MessageLogConfig.defaults(7));
    }

    /** Returns the nodes of epoch 1, in which this identity has taken the place of a node's. */
    EpochNodes replaced(int node, Signer identity) {
        Genesis.Builder terms = genesis.genesis().toBuilder();
        terms.getNodesBuilder(node)
                .setIdentity(PublicKey.newBuilder()
                        .setSchemeValue(identity.verificationKey().scheme().code())
                        .setPoint(ByteString.copyFrom(identity.verificationKey().point())));
        return new EpochNodes(1, 0, terms.build(), genesis.digest());
    }

    /** Returns the same members under another file: what a node with a wrong genesis has. */
    GenesisFile otherGenesis() {
        String json = GenesisFile.toJson(genesis.genesis()) + "\n";
        return GenesisFile.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes ports of this process's block, and another block when it is used up; the tests run one after another. */
    private static List<Integer> takePorts(int count) throws IOException {
        if (block == null || portsTaken + count > PortBlock.PORTS_MAX) {
            block = PortBlock.take(PortBlock.PORTS_MAX);
            portsTaken = 0;
        }
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ports.add(block.base() + portsTaken++);
        }
        return ports;
    }
}
