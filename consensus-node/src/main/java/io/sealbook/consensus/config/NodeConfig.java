package io.sealbook.consensus.config;

import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.util.Properties;

/**
 * What one operator decides about his node; read from node.properties, in which every key has a default but
 * {@code node-id}.
 *
 * <pre>
 *   key                   default      meaning
 *   node-id               (none)       position in the genesis file
 *   key-passphrase-file, key-passphrase-env
 *                                      passphrase of an encrypted node.key: see PassphraseSettings
 *   require-genesis-signatures  false  true: the node starts only if all members of the genesis file signed it
 *   bind-address          127.0.0.1    address of the peer and gateway ports
 *   address.host, address.vote-port, address.payload-port, address.gateway-port, address.engine-port
 *                                      where others reach this node; each by default as the genesis file, or the
 *                                      transaction that replaced the node, says
 *   admin-address         127.0.0.1    address of /metrics, /health, /status
 *   admin-port            0            its port, 0 = any free one
 *   admin-connections-max 64           connections open there at once
 *   admin-request-timeout-ms  5000     time of one request with its answer
 *   admin-requests-per-second 200      of one certificate, without TLS of one address
 *   admin-bytes-per-second    1048576  likewise
 *   tls, tls-certificate, tls-key, tls-key-passphrase-file, tls-key-passphrase-env, tls-trusted, tls-revoked
 *                              TLS of gateway, admin port and engine link: see TlsSettings
 *   gateway-connections-max          4096    connections of brokers and readers open at once
 *   gateway-connections-per-address  256     of one address
 *   gateway-idle-ms                  300000  a connection without a call is closed after it
 *   gateway-reads-max                1024    streams of receipts and blocks open at once
 *   gateway-reads-per-address        128     of one address
 *   gateway-calls-per-second         2000    of one caller, without TLS of one address
 *   gateway-bytes-per-second         134217728  likewise, bytes that it sends
 *   feed-streams-max                 64      streams of followers open at once
 *   feed-streams-per-address         16      of one address
 *   feed-archive-bytes-per-second    33554432  bytes read per second for followers far behind, and as much for
 *                                            streams of receipts and blocks
 *   scrub-bytes-per-second           4194304  bytes of the archive read per second to find damage; 0: none
 *   start-repair-wait-ms             300000   how long a start waits for damaged blocks that it needs
 *   engine                local        local: in this directory; remote: elsewhere, its results come back over the
 *                                      network under engine.key; none: no results, at most f nodes of a cluster
 *   handoff               places       places: a local engine reads blocks from the archive; blocks: from the queue
 *   durability            process      process: survives a killed process; disk: survives power loss
 *   verifier              best         best, or a provider's name
 *   verifier.gpu.*, verifier.jni.*     settings of these providers: see docs/OPERATING.md
 *   stage-threads         auto         shared: one event loop does all for a batch; own: each stage has its threads;
 *                                      auto: shared in a replica with at most 4 cores, durability process, no device
 *   verify-lanes          cores / 2    threads that decode and verify, at most 16 by default
 *   verify-wait-us        1000         longest wait of a signature for company, if enough is expected
 *   ring-size             4096         batches that wait until lanes come to them, power of two
 *   ring-wait             blocking     blocking, yielding or busy-spin
 *   submit-in-flight-max  256          unanswered batches of one stream, at most a quarter of ring-size
 *   payload-store-bytes   heap / 4     bytes of admitted, undelivered batches; by default at most 256 MB
 *   receipt-stall-ms      10000        a follower that reads nothing for this time is cut off
 *   laboratory            false        true: a node of experiments, which alone may have the settings below
 *   experiment.threads             two         one or two: agreement and commit on one thread or on two
 *   experiment.offload             event-loop  event-loop or agent: where peer messages are checked
 *   experiment.verify-batch-max    65536       signatures verified together at most; the verifier prefers fewer
 *   experiment.payload-route       direct      direct: the node that takes a batch sends it to all; primary: to the
 *                                              primary, which sends it on with its proposal
 *   experiment.decoding            once        once: the header of a batch is decoded at admission; every-stage: also
 *                                              at commit, for each follower of receipts, and in transfer
 *   experiment.execution           separated   separated: an engine process; in-process: inside the node, on the thread
 *                                              that commits; inline: the same, and the next block waits for the agreed
 *                                              result of the last
 *   experiment.engine              (empty)     name of the engine inside the node
 *   experiment.engine.*                        its settings
 * </pre>
 *
 * @param nodeId position in the genesis file, from 0
 * @param passphrase of node.key, if the file is encrypted
 * @param isGenesisSigned whether all members must have signed the genesis file
 * @param network addresses and the admin port
 * @param address where others reach the node, as far as its operator says
 * @param gateway limits of brokers' and readers' connections
 * @param feed limits of followers on other machines
 * @param repair how the archive is kept whole
 * @param ingress limits of the way of a batch
 * @param engine where the engine of this node runs
 * @param stageThreads whether the stages of a batch's path share a thread
 * @param handOff what the queue to a local engine carries
 * @param durability what survives which failure
 * @param receiptStallMs milliseconds
 * @param experiment parts of the design that a laboratory may switch off
 */
public record NodeConfig(
        int nodeId,
        PassphraseSettings passphrase,
        boolean isGenesisSigned,
        NetworkConfig network,
        AddressConfig address,
        GatewayConfig gateway,
        FeedConfig feed,
        RepairConfig repair,
        IngressConfig ingress,
        EnginePlace engine,
        StageThreads stageThreads,
        HandOffContent handOff,
        Durability durability,
        int receiptStallMs,
        ExperimentConfig experiment) {
    private static final long PAYLOAD_STORE_BYTES_DEFAULT_MAX = 256L << 20;

    public NodeConfig {
        ConfigException.require(nodeId >= 0, "node-id=" + nodeId + " is negative");
        ConfigException.require(receiptStallMs >= 100, "receipt-stall-ms=" + receiptStallMs + " is below 100");
    }

    /** Reads the settings of a directory. */
    public static NodeConfig read(NodeDirectory directory) throws IOException {
        return of(Settings.properties(directory.propertiesFile()));
    }

    /** Reads settings, refusing unknown keys: a misspelt key would silently mean its default. */
    public static NodeConfig of(Properties given) {
        return Settings.read("node.properties", given, NodeConfig::of);
    }

    private static NodeConfig of(Settings settings) {
        return new NodeConfig(
                settings.integer("node-id", null),
                passphrase(settings),
                settings.truth("require-genesis-signatures", false),
                NetworkConfig.of(settings),
                AddressConfig.of(settings),
                GatewayConfig.of(settings),
                FeedConfig.of(settings),
                RepairConfig.of(settings),
                new IngressConfig(
                        verifier(settings),
                        settings.integer(
                                "verify-lanes",
                                Integer.toString(IngressConfig.lanesFor(
                                        Runtime.getRuntime().availableProcessors()))),
                        settings.integer("verify-wait-us", "1000"),
                        settings.integer("ring-size", "4096"),
                        settings.choice("ring-wait", RingWait.BLOCKING),
                        settings.integer("submit-in-flight-max", "256"),
                        settings.longInteger("payload-store-bytes", Long.toString(defaultPayloadStoreBytes()))),
                settings.choice("engine", EnginePlace.LOCAL),
                settings.choice("stage-threads", StageThreads.AUTO),
                settings.choice("handoff", HandOffContent.PLACES),
                settings.choice("durability", Durability.PROCESS),
                settings.integer("receipt-stall-ms", "10000"),
                ExperimentConfig.of(settings));
    }

    static PassphraseSettings passphrase(Settings settings) {
        try {
            return PassphraseSettings.of(key -> settings.text(key, ""));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }

    /** The providers check their own settings when the node chooses one. */
    static VerifierSettings verifier(Settings settings) {
        try {
            return new VerifierSettings(
                    settings.text("verifier", VerifierSettings.BEST), settings.section("verifier."));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }

    private static long defaultPayloadStoreBytes() {
        return Math.min(PAYLOAD_STORE_BYTES_DEFAULT_MAX, Runtime.getRuntime().maxMemory() / 4);
    }
}
