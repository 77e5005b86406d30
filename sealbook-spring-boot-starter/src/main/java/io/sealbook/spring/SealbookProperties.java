package io.sealbook.spring;

import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the broker's client.
 *
 * @param enabled Whether a client is made and connected.
 * @param directory Directory of the broker, with broker.properties, key and genesis file. It replaces genesis,
 *     broker-id, key-id and key-file.
 * @param genesis Genesis file: the cluster's nodes, their addresses, and the instruments.
 * @param brokerId Id of the broker in the genesis file.
 * @param keyId Which of the broker's keys signs.
 * @param keyFile File of the broker's signing key.
 * @param keyPassphraseFile File whose first line is the passphrase of an encrypted key file.
 * @param keyPassphraseEnv Name of the environment variable that is the passphrase of an encrypted key file.
 * @param ssl TLS of the connections.
 * @param checkpointDirectory Directory in which the last handled execution report is remembered. Without it, reports
 *     begin with those that are new when the application starts.
 * @param outboxDirectory Directory of signed batches; after a crash the next start sends them again. Without it they
 *     are in memory only. An application with listeners of reports needs a checkpoint directory, too.
 * @param readOnly Whether the application only reads: it takes no session, and submits nothing. Excludes
 *     outbox-directory, session and valid-for.
 * @param session Session of the broker, of this application alone. The start waits until it is free.
 * @param validFor How long after its signature an order may be executed, in steps of 10 ms; without a limit by default.
 * @param inFlightMax Batches without a result at which submit holds the caller back.
 * @param connectTimeout How long the start of the application waits for n - f nodes, and for a free session.
 * @param closeTimeout How long the end of the application waits for batches in flight.
 * @param health Health of the connection.
 */
@ConfigurationProperties("sealbook")
public record SealbookProperties(
        @DefaultValue("true") boolean enabled,
        Path directory,
        Path genesis,
        Integer brokerId,
        @DefaultValue("1") int keyId,
        Path keyFile,
        Path keyPassphraseFile,
        String keyPassphraseEnv,
        @DefaultValue Ssl ssl,
        Path checkpointDirectory,
        Path outboxDirectory,
        @DefaultValue("false") boolean readOnly,
        @DefaultValue("0") int session,
        Duration validFor,
        @DefaultValue("1024") int inFlightMax,
        @DefaultValue("10s") Duration connectTimeout,
        @DefaultValue("10s") Duration closeTimeout,
        @DefaultValue Health health) {

    /**
     * TLS of the connections.
     *
     * @param bundle Name of the SSL bundle with the broker's certificate and the trusted authorities. By default the
     *     broker's directory decides, and without one connections are not encrypted.
     */
    public record Ssl(String bundle) {}

    /**
     * Health of the connection.
     *
     * @param blockAgeMax Longest time without a new block at which the health is UP. By default any: a market may be
     *     quiet.
     */
    public record Health(Duration blockAgeMax) {}
}
