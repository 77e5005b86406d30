package io.sealbook.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.client.ClientMetrics;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.FileCheckpointer;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SigningKey;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.ExecType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;
import org.mockito.InOrder;
import org.mockito.MockedStatic;
import org.mockito.Mockito;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Which beans there are. The consumers' tests connect to a cluster. */
class SealbookAutoConfigurationTest {
    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class, SealbookAutoConfiguration.class));

    @TempDir
    private Path directory;

    static class Ledger {
        @OnExecutionReport
        void handle(ExecutionReport report) {}
    }

    @Test
    void shouldMakeNothingIfItIsSwitchedOff() {
        context.withPropertyValues("sealbook.enabled=false")
                .run(started -> assertThat(started)
                        .hasNotFailed()
                        .doesNotHaveBean(BrokerClient.class)
                        .doesNotHaveBean(ReportDelivery.class));
    }

    @Test
    void shouldNameThePropertyThatIsMissing() {
        context.run(failed -> assertThat(failed).getFailure().rootCause().hasMessageContaining("sealbook.genesis"));
        context.withPropertyValues("sealbook.genesis=genesis.json", "sealbook.broker-id=1")
                .run(failed -> assertThat(failed).getFailure().rootCause().hasMessageContaining("sealbook.key-file"));
    }

    @Test
    void shouldRefuseADirectoryBesideItsParts() {
        context.withPropertyValues("sealbook.directory=" + directory, "sealbook.broker-id=1")
                .run(failed -> assertThat(failed)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("sealbook.broker-id")
                        .hasMessageContaining("sealbook.directory"));
    }

    @Test
    void shouldNameTheFileThatItCannotRead() {
        context.withPropertyValues("sealbook.directory=" + directory)
                .run(failed -> assertThat(failed)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("sealbook.directory")
                        .hasMessageContaining("broker.properties"));
    }

    @Test
    void shouldNameAGenesisFileThatIsNone() throws IOException {
        Path genesis = Files.writeString(directory.resolve("genesis.json"), "{");
        context.withPropertyValues(
                        "sealbook.genesis=" + genesis, "sealbook.broker-id=1", "sealbook.key-file=" + genesis)
                .run(failed -> assertThat(failed).getFailure().rootCause().hasMessageContaining("sealbook.genesis"));
    }

    @Test
    void shouldNameAKeyFileWhosePassphraseIsWrong() throws IOException {
        Path key = directory.resolve("broker.key");
        KeyFile.writeEncrypted(key, SigningKey.generate(SignatureScheme.SM2_SM3), "right".toCharArray());
        SealbookProperties wrong = properties(key, passphrase("wrong"));

        assertThatThrownBy(() -> BrokerIdentity.signer(wrong)).hasMessageContaining("sealbook.key-file");
        assertThat(BrokerIdentity.signer(properties(key, passphrase("right"))).scheme())
                .isEqualTo(SignatureScheme.SM2_SM3);
    }

    private Path passphrase(String value) throws IOException {
        Path file = Files.writeString(directory.resolve(value), value + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private static SealbookProperties properties(Path key, Path passphrase) {
        return new Binder(new MapConfigurationPropertySource(Map.of(
                        "sealbook.key-file", key.toString(),
                        "sealbook.key-passphrase-file", passphrase.toString())))
                .bindOrCreate("sealbook", SealbookProperties.class);
    }

    @Test
    void shouldKeepTheCheckpointInTheDirectoryAndMakeIt() {
        Path checkpoints = directory.resolve("a/b");
        withOwnClient()
                .withPropertyValues("sealbook.checkpoint-directory=" + checkpoints)
                .run(started -> {
                    assertThat(started).hasSingleBean(FileCheckpointer.class);
                    assertThat(checkpoints.resolve("reports.checkpoint")).exists();
                });
    }

    /** Its reports would begin after those of orders that are in blocks. */
    @Test
    void shouldRefuseListenersAndAnOutboxWithoutACheckpoint() throws IOException {
        SigningKey key = SigningKey.generate(SignatureScheme.SM2_SM3);
        Path keyFile = directory.resolve("broker.key");
        KeyFile.write(keyFile, key);
        context.withPropertyValues(
                        "sealbook.genesis=" + Files.writeString(directory.resolve("genesis.json"), genesis(key)),
                        "sealbook.broker-id=1",
                        "sealbook.key-file=" + keyFile,
                        "sealbook.outbox-directory=" + directory.resolve("outbox"))
                .withBean(Ledger.class)
                .run(failed -> assertThat(failed)
                        .getFailure()
                        .hasStackTraceContaining(
                                "sealbook.outbox-directory without sealbook.checkpoint-directory or a Checkpointer")
                        .rootCause()
                        .hasMessageContaining("use a checkpointer, or reportsFrom"));
    }

    @Test
    void shouldMakeAReadOnlyClientIfThePropertySaysSo() {
        BrokerClientBuilder builder = mock(BrokerClientBuilder.class, Mockito.RETURNS_SELF);
        Mockito.when(builder.connect()).thenReturn(mock(BrokerClient.class));

        try (MockedStatic<BrokerIdentity> identity = Mockito.mockStatic(BrokerIdentity.class)) {
            identity.when(() -> BrokerIdentity.builder(any(), any())).thenReturn(builder);
            context.run(started -> assertThat(started).hasNotFailed());
            Mockito.verify(builder, Mockito.never()).readOnly();
            context.withPropertyValues("sealbook.read-only=true")
                    .run(started -> assertThat(started).hasNotFailed());
        }
        Mockito.verify(builder).readOnly();
    }

    @ParameterizedTest
    @CsvSource({"outbox-directory, outbox", "session, 1", "valid-for, 1s"})
    void shouldRefuseAReadOnlyClientBesideWhatOnlySubmissionsHave(String property, String value) {
        context.withPropertyValues("sealbook.read-only=true", "sealbook." + property + "=" + value)
                .run(failed -> assertThat(failed)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("sealbook." + property + " beside sealbook.read-only=true"));
    }

    private static String genesis(SigningKey broker) {
        String nodes = IntStream.range(0, 4)
                .mapToObj(id -> """
                        {"nodeId": %d, "host": "127.0.0.1", "gatewayPort": %d, "enginePort": %d, "identity": %s}
                        """.formatted(
                                id, 2 * id + 1, 2 * id + 2, publicKey(SigningKey.generate(SignatureScheme.SM2_SM3))))
                .collect(Collectors.joining(","));
        return """
                {"chainId": "1", "parameters": {},
                 "instruments": [{"instrumentId": 1, "symbol": "GOOG", "priceDecimals": 2, "priceMin": "1",
                                  "priceMax": "200000", "quantityMax": "1000000"}],
                 "brokers": [{"brokerId": 1, "accounts": [{"first": 1}], "keys": [{"keyId": 1, "key": %s}]}],
                 "nodes": [%s]}
                """.formatted(publicKey(broker), nodes);
    }

    private static String publicKey(SigningKey key) {
        String point = Base64.getEncoder()
                .encodeToString(key.signer().verificationKey().point());
        return "{\"scheme\": \"SM2_SM3\", \"point\": \"" + point + "\"}";
    }

    @Test
    void shouldStartWithAnOutboxAndACheckpointOrAFirstReport() {
        BrokerClientBuilder builder = mock(BrokerClientBuilder.class, Mockito.RETURNS_SELF);
        Mockito.when(builder.connect()).thenReturn(mock(BrokerClient.class));
        String outbox = "sealbook.outbox-directory=" + directory.resolve("outbox");

        try (MockedStatic<BrokerIdentity> identity = Mockito.mockStatic(BrokerIdentity.class)) {
            identity.when(() -> BrokerIdentity.builder(any(), any())).thenReturn(builder);
            context.withPropertyValues(outbox)
                    .run(started -> assertThat(started).as("no listener").hasNotFailed());
            context.withPropertyValues(outbox, "sealbook.checkpoint-directory=" + directory)
                    .withBean(Ledger.class)
                    .run(started -> assertThat(started).hasNotFailed());
            Mockito.verify(builder).reportsFromNow();
            Mockito.clearInvocations(builder);
            context.withPropertyValues(outbox)
                    .withBean(Ledger.class)
                    .withBean(BrokerClientCustomizer.class, () -> each -> each.reportsFrom(7))
                    .run(started -> assertThat(started).hasNotFailed());
        }
        InOrder order = inOrder(builder);
        order.verify(builder).reportsFromNow();
        order.verify(builder).reportsFrom(7);
        order.verify(builder).connect();
    }

    @Test
    void shouldHaveHealthAndMeters() {
        withOwnClient()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .run(started -> assertThat(started)
                        .hasSingleBean(HealthIndicator.class)
                        .hasSingleBean(BrokerMeters.class)
                        .hasSingleBean(TimedBroker.class));
    }

    @Test
    void shouldWorkWithoutHealthAndMeters() {
        withOwnClient()
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
                .run(started -> assertThat(started)
                        .hasNotFailed()
                        .hasSingleBean(BrokerClient.class)
                        .doesNotHaveBean(BrokerHealthIndicator.class)
                        .doesNotHaveBean(TimedBroker.class));
    }

    @Test
    void shouldCloseTheClientAtTheEnd() {
        BrokerClient[] client = {null};
        withOwnClient().run(started -> client[0] = started.getBean(BrokerClient.class));

        inOrder(client[0]).verify(client[0], Mockito.atLeastOnce()).close();
    }

    /** The client has a report, and its thread waits for listeners: {@code close} waits for that thread. */
    @Test
    void shouldCloseTheClientIfTheStartFails() {
        BrokerClient client = mock(BrokerClient.class);
        BrokerClientBuilder builder = mock(BrokerClientBuilder.class, Mockito.RETURNS_SELF);
        ArgumentCaptor<ExecutionReportListener> delivery = ArgumentCaptor.forClass(ExecutionReportListener.class);
        CompletableFuture<Void> delivered = new CompletableFuture<>();
        Mockito.when(builder.connect()).thenAnswer(call -> {
            Mockito.verify(builder).executionReports(delivery.capture());
            delivered.completeAsync(() -> {
                delivery.getValue().onReport(SampleReports.report(1, ExecType.NEW));
                return null;
            });
            return client;
        });
        Mockito.doAnswer(call -> {
                    Facts.await("the client's thread is released", delivered::isDone);
                    return null;
                })
                .when(client)
                .close();

        try (MockedStatic<BrokerIdentity> identity = Mockito.mockStatic(BrokerIdentity.class)) {
            identity.when(() -> BrokerIdentity.builder(any(), any())).thenReturn(builder);
            context.withBean(Ledger.class)
                    .withBean(FailingService.class)
                    .run(failed -> assertThat(failed).getFailure().rootCause().hasMessage("scripted"));
        }

        Mockito.verify(client).close();
        assertThat(delivered).isCompletedExceptionally();
    }

    static class FailingService {
        FailingService(BrokerClient client) {
            throw new IllegalStateException("scripted");
        }
    }

    /** Test contexts are paused while another one is used. */
    @Test
    void shouldGoOnWhileTheContextIsPaused() {
        withOwnClient().run(started -> {
            ConfigurableApplicationContext whole =
                    started.getSourceApplicationContext(ConfigurableApplicationContext.class);

            whole.pause();
            whole.restart();

            Mockito.verify(started.getBean(BrokerClient.class), Mockito.never()).close();
            assertThat(started.getBean(BrokerClientLifecycle.class).isRunning()).isTrue();
        });
    }

    /** Its listeners would never be called. */
    @Test
    void shouldRefuseListenersBesideAnOwnClient() {
        withOwnClient()
                .withBean(Ledger.class)
                .run(failed -> assertThat(failed).getFailure().rootCause().hasMessageContaining("own BrokerClient"));
    }

    /** The class is final and its constructor needs a cluster. */
    private ApplicationContextRunner withOwnClient() {
        BrokerClient client = mock(BrokerClient.class);
        Mockito.when(client.metrics()).thenReturn(new ClientMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        return context.withBean(BrokerClient.class, () -> client);
    }
}
