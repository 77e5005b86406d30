package io.sealbook.spring;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ChannelFactory;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.ssl.SslBundles;

/** Who the broker is and how it connects, from the properties: a directory, or its parts one by one. */
final class BrokerIdentity {
    private BrokerIdentity() {}

    /**
     * Returns a builder that has what identifies the broker.
     *
     * @throws InvalidConfigurationPropertyValueException if a property is missing, superfluous, or names a file that
     *     cannot be read
     */
    static BrokerClientBuilder builder(SealbookProperties properties, SslBundles bundles) {
        BrokerClientBuilder builder = BrokerClient.builder();
        if (properties.directory() != null) {
            refuseBesideDirectory("sealbook.genesis", properties.genesis());
            refuseBesideDirectory("sealbook.broker-id", properties.brokerId());
            refuseBesideDirectory("sealbook.key-file", properties.keyFile());
            try {
                builder.directory(BrokerDirectory.read(properties.directory()));
            } catch (IOException | IllegalArgumentException e) {
                throw invalid("sealbook.directory", properties.directory(), e);
            }
        } else {
            require("sealbook.genesis", properties.genesis());
            require("sealbook.broker-id", properties.brokerId());
            require("sealbook.key-file", properties.keyFile());
            builder.brokerId(properties.brokerId()).keyId(properties.keyId());
            try {
                builder.genesis(GenesisFile.parse(Files.readAllBytes(properties.genesis())));
            } catch (IOException | IllegalArgumentException e) {
                throw invalid("sealbook.genesis", properties.genesis(), e);
            }
            builder.signer(signer(properties));
        }
        if (properties.ssl().bundle() != null) {
            builder.channels(channels(properties.ssl().bundle(), bundles));
        }
        return builder;
    }

    /** Returns what opens connections with the certificate that a bundle has then. */
    static ChannelFactory channels(String bundle, SslBundles bundles) {
        BundleManagers managers = new BundleManagers(bundle, bundles);
        return ChannelFactory.tls(managers.keys(), managers.trust());
    }

    /** Reads the key file; a passphrase is asked for only if it is encrypted. */
    static Signer signer(SealbookProperties properties) {
        PassphraseSettings passphrase = new PassphraseSettings(
                "",
                Optional.ofNullable(properties.keyPassphraseFile()),
                Optional.ofNullable(properties.keyPassphraseEnv()));
        try {
            return KeyFile.readSigner(properties.keyFile(), passphrase.source());
        } catch (IOException | IllegalArgumentException e) {
            throw invalid("sealbook.key-file", properties.keyFile(), e);
        }
    }

    private static void refuseBesideDirectory(String property, Object value) {
        if (value != null) {
            throw new InvalidConfigurationPropertyValueException(
                    property, value, "sealbook.directory has it already; give one of the two");
        }
    }

    private static void require(String property, Object value) {
        if (value == null) {
            throw new InvalidConfigurationPropertyValueException(
                    property,
                    null,
                    "needed unless sealbook.directory names a broker's directory; "
                            + "sealbook.enabled=false makes no client");
        }
    }

    private static InvalidConfigurationPropertyValueException invalid(String property, Object value, Exception cause) {
        var failure = new InvalidConfigurationPropertyValueException(property, value, cause.toString());
        failure.addSuppressed(cause); // Its constructor has fixed the cause.
        return failure;
    }
}
