package io.sealbook.consensus.tool;

import io.sealbook.consensus.testnet.AccountSpec;
import io.sealbook.consensus.testnet.FollowerWriter;
import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.consensus.testnet.TestnetCertificates;
import io.sealbook.consensus.testnet.TestnetPlan;
import io.sealbook.consensus.testnet.TestnetWriter;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.KeySessions;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.Parameters;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code testnet}: writes the directories of a new cluster. */
@Command(
        name = "testnet",
        mixinStandardHelpOptions = true,
        description = "Writes keys, genesis file and settings of a new cluster, one directory per node, broker and"
                + " follower.")
public final class TestnetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", required = true, description = "Directory to write.")
    private Path directory;

    @Option(
            names = "--nodes",
            defaultValue = "4",
            description = "Number of nodes, at least 4. Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @Option(
            names = "--base-port",
            defaultValue = "7100",
            description = "Vote port of node 0; node i uses ten ports from base + step * i. Default: ${DEFAULT-VALUE}.")
    private int basePort;

    @Option(
            names = "--port-step",
            defaultValue = "10",
            description = "10 when nodes share a machine, 0 when each has its own host. Default: ${DEFAULT-VALUE}.")
    private int portStep;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            description = "Name under which others reach the nodes: once for all, or once for each."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<String> hosts;

    @Option(
            names = "--bind-address",
            defaultValue = "127.0.0.1",
            description = "Address on which nodes and engines listen. Default: ${DEFAULT-VALUE}.")
    private String bindAddress;

    @Option(
            names = "--identity",
            defaultValue = "secp256k1",
            description = "Scheme of the nodes' identity keys: sm2 or secp256k1. Default: ${DEFAULT-VALUE}.")
    private String identity;

    @Option(
            names = "--broker",
            defaultValue = "sm2",
            description = "Adds a broker with a key of this scheme, sm2 or secp256k1; repeatable."
                    + " Default: one ${DEFAULT-VALUE}.")
    private List<String> brokers;

    @Option(
            names = "--accounts",
            paramLabel = "BROKER:FIRST[-LAST]",
            description = "Gives accounts to a broker, numbered from 1; repeatable."
                    + " A broker without this option gets the account of its own number.")
    private List<String> accounts = List.of();

    @Option(
            names = "--instrument",
            defaultValue = "1:GOOG:2:1:200000:1000000",
            description = "Adds an instrument id:symbol:decimals:priceMin:priceMax:quantityMax[:keep]; repeatable."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<String> instruments;

    @Option(
            names = "--followers",
            defaultValue = "0",
            description = "Number of followers; each gets a directory, and the ports of a further node."
                    + " Default: ${DEFAULT-VALUE}.")
    private int followers;

    @Option(
            names = "--tls",
            description =
                    "Requires TLS on every port of nodes, engines and followers, and writes their certificates, and"
                            + " those of brokers and an operator. Needed if other machines reach --bind-address.")
    private boolean isTls;

    @Option(names = "--chain-id", description = "Number of the chain; random when not given.")
    private Long chainId;

    @Option(
            names = "--node-property",
            paramLabel = "KEY=VALUE",
            description = "Adds a line to every node.properties; repeatable.")
    private List<String> nodeProperties = List.of();

    @Option(
            names = "--force",
            description =
                    "Replaces a cluster that is there already, its blocks included, if none of its processes runs.")
    private boolean force;

    @ArgGroup(validate = false, heading = "Parameters of the genesis file; 0 means the platform's default:%n")
    private ParameterOptions parameters = new ParameterOptions();

    private static final class ParameterOptions {
        @Option(names = "--block-max-batches", description = "Batches of a block (500).")
        private int blockMaxBatches;

        @Option(names = "--block-max-wait-ms", description = "Longest wait for a block to fill (500).")
        private int blockMaxWaitMs;

        @Option(names = "--pipeline-window", description = "Proposals in flight (32).")
        private int pipelineWindow;

        @Option(names = "--checkpoint-interval", description = "Blocks between checkpoints (16).")
        private int checkpointInterval;

        @Option(names = "--log-window", description = "Blocks between the watermarks (128).")
        private int logWindow;

        @Option(names = "--order-count-max", description = "Orders of a batch (256).")
        private int orderCountMax;

        @Option(names = "--validity-blocks-max", description = "How many blocks ahead a batch may be valid (10000).")
        private int validityBlocksMax;

        @Option(names = "--request-timeout-ms", description = "Wait before a primary is suspected (2000).")
        private int requestTimeoutMs;

        @Option(names = "--view-change-timeout-max-ms", description = "Cap of the growing view-change timer (8000).")
        private int viewChangeTimeoutMaxMs;

        @Option(
                names = "--block-time-drift-max-ms",
                description = "Largest distance of a block's time from a clock (5000).")
        private int blockTimeDriftMaxMs;

        @Option(names = "--blocks-per-segment", description = "Blocks of an archive file (4096).")
        private int blocksPerSegment;

        @Option(
                names = "--sessions-per-broker",
                defaultValue = "" + GenesisFile.NEW_SESSIONS_PER_BROKER,
                description = "Sessions of a broker, at most 1024. Default: ${DEFAULT-VALUE}.")
        private int sessionsPerBroker;

        @Option(
                names = "--sessions-per-key",
                description =
                        "Sessions in which one key of a broker signs, which divide the former; as many as those: keys"
                                + " share them. Default: the greatest divisor up to a quarter of them, so 16 of 64.")
        private int sessionsPerKey;

        @Option(
                names = "--live-order-count-max",
                description = "Orders of all brokers that may rest at once (1000000); each has an equal share.")
        private int liveOrderCountMax;

        @Option(
                names = "--fair-order",
                description =
                        "Orders batches by when a quorum of nodes had them, not in turns that the primary serves.")
        private boolean fairOrder;

        @Option(
                names = "--protocol-version",
                defaultValue = "" + ProtocolVersion.NEWEST,
                description = "Version of the rules. Default: ${DEFAULT-VALUE}, the newest that this build follows.")
        private int protocolVersion;

        private Parameters toParameters() {
            return Parameters.newBuilder()
                    .setBlockMaxBatches(blockMaxBatches)
                    .setBlockMaxWaitMs(blockMaxWaitMs)
                    .setPipelineWindow(pipelineWindow)
                    .setCheckpointInterval(checkpointInterval)
                    .setLogWindow(logWindow)
                    .setOrderCountMax(orderCountMax)
                    .setValidityBlocksMax(validityBlocksMax)
                    .setRequestTimeoutMs(requestTimeoutMs)
                    .setViewChangeTimeoutMaxMs(viewChangeTimeoutMaxMs)
                    .setBlockTimeDriftMaxMs(blockTimeDriftMaxMs)
                    .setBlocksPerSegment(blocksPerSegment)
                    .setSessionsPerBroker(sessionsPerBroker)
                    .setSessionsPerKey(sessionsPerKey == 0 ? KeySessions.perKey(sessionsPerBroker) : sessionsPerKey)
                    .setLiveOrderCountMax(liveOrderCountMax)
                    .setFairOrder(fairOrder)
                    .setProtocolVersion(protocolVersion)
                    .build();
        }
    }

    @Override
    public Integer call() throws Exception {
        TestnetPlan plan = new TestnetPlan(
                chainId == null ? randomChainId() : chainId,
                hosts,
                nodes,
                basePort,
                portStep,
                bindAddress,
                scheme(identity),
                brokers.stream().map(TestnetCommand::scheme).toList(),
                accounts.stream().map(AccountSpec::parse).toList(),
                instruments.stream().map(InstrumentSpec::parse).toList(),
                parameters.toParameters(),
                isTls,
                nodeProperties);
        FollowerWriter followerWriter = new FollowerWriter(directory, plan);
        followerWriter.check(followers);
        GenesisFile genesis = new TestnetWriter(directory, plan).write(force);
        followerWriter.write(followers);
        if (isTls) {
            new TestnetCertificates(directory, plan).write(followers);
        }
        var out = spec.commandLine().getOut();
        out.println("directory: " + directory);
        out.println("chain id: " + Long.toUnsignedString(genesis.genesis().getChainId()));
        out.println("genesis digest: " + genesis.digest().hex());
        out.println("nodes: " + plan.nodeCount());
        out.println("brokers: " + plan.brokerSchemes().size());
        out.println("instruments: " + plan.instruments().size());
        return 0;
    }

    private static long randomChainId() {
        long id = new SecureRandom().nextLong() >>> 1;
        return id == 0 ? 1 : id;
    }

    private static SignatureScheme scheme(String name) {
        return switch (name) {
            case "sm2" -> SignatureScheme.SM2_SM3;
            case "secp256k1" -> SignatureScheme.ECDSA_SECP256K1_SHA256;
            default -> throw new IllegalArgumentException("scheme '" + name + "': expected sm2 or secp256k1");
        };
    }
}
