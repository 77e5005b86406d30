package io.sealbook.consensus.testnet;

import com.google.protobuf.ByteString;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.testnet.TestnetPlan.PortUse;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the directories of a new cluster. Keys are generated here and never printed. */
public final class TestnetWriter {
    /** Directory of the certificate with which an operator, or its monitoring, connects. */
    static final String OPERATOR = "operator";

    private static final int FIRST_KEY_ID = 1;

    private final Path directory;
    private final TestnetPlan plan;

    public TestnetWriter(Path directory, TestnetPlan plan) {
        this.directory = directory;
        this.plan = plan;
    }

    /**
     * Writes all files.
     *
     * @param force removes an older cluster of this directory first, its blocks included
     * @throws IllegalArgumentException if the plan gives a genesis file that breaks a rule; nothing has been written or
     *     removed then
     * @throws FileAlreadyExistsException if there is a cluster and {@code force} is false, or something that no testnet
     *     wrote has the name of a part; nothing has been written or removed then
     * @throws IOException if a process uses the older cluster; nothing has been written or removed then
     * @return the genesis that every member starts from
     */
    public GenesisFile write(boolean force) throws IOException {
        OlderCluster older = OlderCluster.in(directory);
        if (!force) {
            older.requireNone();
        }
        older.requireUnused();
        List<SigningKey> nodeKeys = new ArrayList<>();
        for (int i = 0; i < plan.nodeCount(); i++) {
            nodeKeys.add(SigningKey.generate(plan.identityScheme()));
        }
        List<SigningKey> brokerKeys = new ArrayList<>();
        for (SignatureScheme scheme : plan.brokerSchemes()) {
            brokerKeys.add(SigningKey.generate(scheme));
        }

        List<SigningKey> auditorKeys = plan.isTls() ? List.of(SigningKey.generate(plan.identityScheme())) : List.of();
        byte[] genesis =
                GenesisFile.toJson(genesis(nodeKeys, brokerKeys, auditorKeys)).getBytes(StandardCharsets.UTF_8);
        GenesisFile checked = GenesisFile.parse(genesis);
        older.remove();
        Files.createDirectories(directory);
        Files.write(directory.resolve("genesis.json"), genesis);
        for (int i = 0; i < plan.nodeCount(); i++) {
            writeNode(i, genesis, nodeKeys.get(i));
        }
        for (int i = 0; i < brokerKeys.size(); i++) {
            writeBroker(i + 1, brokerKeys.get(i));
        }
        for (int i = 0; i < auditorKeys.size(); i++) {
            Path auditor = directory.resolve(auditor(i + 1));
            Files.createDirectories(auditor);
            KeyFile.write(auditor.resolve("auditor.key"), auditorKeys.get(i));
        }
        return checked;
    }

    /** Returns the directory of an auditor, who is there if the plan has TLS. */
    static String auditor(int auditorId) {
        return "auditor" + auditorId;
    }

    private Genesis genesis(List<SigningKey> nodeKeys, List<SigningKey> brokerKeys, List<SigningKey> auditorKeys) {
        Genesis.Builder genesis =
                Genesis.newBuilder().setChainId(plan.chainId()).setParameters(plan.parameters());
        for (int i = 0; i < nodeKeys.size(); i++) {
            genesis.addNodes(Node.newBuilder()
                    .setNodeId(i)
                    .setName("node" + i)
                    .setIdentity(publicKey(nodeKeys.get(i)))
                    .setHost(plan.host(i))
                    .setVotePort(plan.port(i, PortUse.VOTE))
                    .setPayloadPort(plan.port(i, PortUse.PAYLOAD))
                    .setGatewayPort(plan.port(i, PortUse.GATEWAY))
                    .setEnginePort(plan.port(i, PortUse.ENGINE)));
        }
        for (int i = 0; i < brokerKeys.size(); i++) {
            genesis.addBrokers(Broker.newBuilder()
                    .setBrokerId(i + 1)
                    .setName("broker" + (i + 1))
                    .addAllAccounts(plan.accountsOf(i + 1))
                    .addKeys(BrokerKey.newBuilder().setKeyId(FIRST_KEY_ID).setKey(publicKey(brokerKeys.get(i)))));
        }
        for (int i = 0; i < auditorKeys.size(); i++) {
            genesis.addAuditors(Auditor.newBuilder()
                    .setAuditorId(i + 1)
                    .setName(auditor(i + 1))
                    .setKey(publicKey(auditorKeys.get(i))));
        }
        return genesis.addAllInstruments(plan.instruments()).build();
    }

    private static PublicKey publicKey(SigningKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.verificationKey().point()))
                .build();
    }

    private void writeNode(int i, byte[] genesis, SigningKey key) throws IOException {
        NodeDirectory node = new NodeDirectory(directory.resolve("node" + i));
        ClosedDirectory.create(node.root());
        Files.write(node.genesisFile(), genesis);
        KeyFile.write(node.keyFile(), key);
        node.neverVoted(key.verificationKey()).write();
        List<String> lines = new ArrayList<>(List.of(
                "# Settings of this operator; NodeConfig lists every key with its default.",
                "node-id=" + i,
                "bind-address=" + plan.bindAddress(),
                "admin-address=" + plan.bindAddress(),
                "admin-port=" + plan.port(i, PortUse.NODE_ADMIN)));
        lines.addAll(plan.tlsLine());
        lines.addAll(plan.nodeProperties());
        Files.write(node.propertiesFile(), lines);
        Files.write(node.enginePropertiesFile(), plan.engineProperties(i));
    }

    private void writeBroker(int brokerId, SigningKey key) throws IOException {
        Path broker = directory.resolve("broker" + brokerId);
        Files.createDirectories(broker);
        KeyFile.write(broker.resolve("broker.key"), key);
        List<String> lines =
                new ArrayList<>(List.of("brokerId=" + brokerId, "keyId=" + FIRST_KEY_ID, "scheme=" + key.scheme()));
        lines.addAll(plan.tlsLine());
        Files.write(broker.resolve("broker.properties"), lines);
    }
}
