package io.sealbook.consensus.config;

import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Properties;

/**
 * What an operator decides about a follower; read from follower.properties, in which every key has a default.
 *
 * <pre>
 *   key                   default      meaning
 *   sources               members      members: the gateways of the genesis file; or HOST:PORT, separated by commas
 *   confirm               members      members: a block counts if a certificate covers it or f + 1 members have signed
 *                                      it; source: if its source sends it, for a source of the same operator
 *   verify-signatures     false        true: brokers' signatures too, which no hash and no certificate covers
 *   source-stall-ms       10000        another source is tried if this one does not answer, or come nearer, for it
 *   held-bytes-max        268435456    bytes of blocks that wait for their confirmation
 *   results-to            none         HOST:PORT of the gateway of a node with engine=remote: the results of the
 *                                      engine here are returned to it, under engine.key
 *   auditor-id            0            sources with TLS serve auditors and members: the auditor of the genesis file
 *                                      whose key is in auditor.key; 0: none
 *   key-passphrase-file, key-passphrase-env
 *                                      passphrase of an encrypted auditor.key: see PassphraseSettings
 *   bind-address          127.0.0.1    address of the gateway
 *   gateway-port          7900         its port, 0 = any free one: blocks for further followers, status
 *   admin-*, gateway-*, feed-*, tls*   as of a node
 *   reader-stall-ms       10000        a reader that takes nothing for this time is cut off
 *   durability            process      process: survives a killed process; disk: survives power loss
 *   verifier              best         best, or a provider's name
 *   verifier.gpu.*, verifier.jni.*     settings of these providers: see docs/OPERATING.md
 * </pre>
 *
 * @param source where blocks come from, and what confirms them
 * @param resultsTo HOST:PORT; empty if results are not returned
 * @param auditorId auditor of the genesis file that this follower is, unsigned; 0 if none
 * @param passphrase of auditor.key, if the file is encrypted
 * @param network addresses and the admin port
 * @param gatewayPort 0 lets the system choose
 * @param gateway limits of connections
 * @param feed limits of further followers
 * @param verifier of certificates and heads
 * @param durability what survives which failure
 * @param readerStallMs milliseconds, at least 100
 */
public record FollowerConfig(
        SourceConfig source,
        String resultsTo,
        int auditorId,
        PassphraseSettings passphrase,
        NetworkConfig network,
        int gatewayPort,
        GatewayConfig gateway,
        FeedConfig feed,
        VerifierSettings verifier,
        Durability durability,
        int readerStallMs) {
    private static final String NONE = "none";

    public FollowerConfig {
        ConfigException.require(0 <= gatewayPort && gatewayPort <= 65_535, "gateway-port=" + gatewayPort);
        ConfigException.require(readerStallMs >= 100, "reader-stall-ms=" + readerStallMs + " is below 100");
    }

    /** Reads the settings of a directory; all defaults if it has no such file. */
    public static FollowerConfig read(NodeDirectory directory) throws IOException {
        return of(
                Files.exists(directory.followerPropertiesFile())
                        ? Settings.properties(directory.followerPropertiesFile())
                        : new Properties());
    }

    /** Reads settings, refusing unknown keys. */
    public static FollowerConfig of(Properties given) {
        return Settings.read("follower.properties", given, FollowerConfig::of);
    }

    private static FollowerConfig of(Settings settings) {
        return new FollowerConfig(
                SourceConfig.of(settings),
                resultsTo(settings),
                settings.id("auditor-id", "0"),
                NodeConfig.passphrase(settings),
                NetworkConfig.of(settings),
                settings.integer("gateway-port", "7900"),
                GatewayConfig.of(settings),
                FeedConfig.of(settings),
                NodeConfig.verifier(settings),
                settings.choice("durability", Durability.PROCESS),
                settings.integer("reader-stall-ms", "10000"));
    }

    private static String resultsTo(Settings settings) {
        String address = settings.text("results-to", NONE);
        ConfigException.require(
                address.equals(NONE) || SourceConfig.isAddress(address),
                "results-to=" + address + " is neither none nor HOST:PORT");
        return address.equals(NONE) ? "" : address;
    }
}
