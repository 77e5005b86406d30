package io.sealbook.client;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * A broker's directory as {@code testnet} writes it: {@code broker.properties} (brokerId, keyId, key, genesis, and the
 * keys of {@link PassphraseSettings} and {@link TlsSettings}), the key file and the genesis file. A client keeps a
 * membership proof in it ({@code membership-proof}, {@code members.proof}). Files are named relative to the directory.
 *
 * @param brokerId as in the genesis file
 * @param keyId which of the broker's keys the signer has
 * @param signer signs batches
 * @param genesis the cluster
 * @param membershipProof file that proves who the nodes are since the genesis file, not read yet; need not be there
 * @param channels opens connections, with TLS if the properties require it
 */
public record BrokerDirectory(
        int brokerId, int keyId, Signer signer, GenesisFile genesis, Path membershipProof, ChannelFactory channels) {
    private static final String MEMBERSHIP_PROOF = "membership-proof";

    /**
     * Reads and checks a directory.
     *
     * @throws IllegalArgumentException if a property is missing or wrong; the message names file and property
     * @throws io.sealbook.crypto.KeyPassphraseException if the key file is encrypted, and its passphrase is wrong or
     *     none can be had
     * @throws IOException if a file cannot be read
     */
    public static BrokerDirectory read(Path directory) throws IOException {
        Path file = directory.resolve("broker.properties");
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        }
        int brokerId = unsigned(properties, "brokerId", file);
        int keyId = unsigned(properties, "keyId", file);
        Path key =
                directory.resolve(properties.getProperty("key", "broker.key")).normalize();
        Path genesis = directory
                .resolve(properties.getProperty("genesis", "../genesis.json"))
                .normalize();
        return new BrokerDirectory(
                brokerId,
                keyId,
                KeyFile.readSigner(
                        key, passphrase(properties, file).in(directory).source()),
                GenesisFile.parse(Files.readAllBytes(genesis)),
                directory
                        .resolve(properties.getProperty(MEMBERSHIP_PROOF, "members.proof"))
                        .normalize(),
                ChannelFactory.with(TlsIdentity.channelCredentials(
                        tls(properties, file).in(directory).open())));
    }

    /**
     * Returns the accounts of the genesis file that the broker's orders may name; none if it came later. A connected
     * client returns those at present.
     */
    public AccountRanges accounts() {
        return genesis.genesis().getBrokersList().stream()
                .filter(broker -> broker.getBrokerId() == brokerId)
                .findFirst()
                .map(AccountRanges::of)
                .orElse(AccountRanges.NONE);
    }

    private static PassphraseSettings passphrase(Properties properties, Path file) {
        try {
            return PassphraseSettings.of(properties::getProperty);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static TlsSettings tls(Properties properties, Path file) {
        try {
            return TlsSettings.of(properties::getProperty, List.of());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static int unsigned(Properties properties, String name, Path file) {
        String value = properties.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException(file + ": " + name + " is missing");
        }
        try {
            return Integer.parseUnsignedInt(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(file + ": " + name + " is no number: " + value, e);
        }
    }
}
