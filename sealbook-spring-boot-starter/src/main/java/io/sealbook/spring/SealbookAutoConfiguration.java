package io.sealbook.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.client.Checkpointer;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.FileCheckpointer;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Makes and connects the broker's client. An application replaces any part by a bean of its own: a
 * {@link Checkpointer}, or the {@link BrokerClient} itself.
 */
@AutoConfiguration(
        after = SslAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnProperty(name = "sealbook.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SealbookProperties.class)
public final class SealbookAutoConfiguration {
    private static final String CHECKPOINT_FILE = "reports.checkpoint";

    @Bean
    @ConditionalOnMissingBean(Checkpointer.class)
    @ConditionalOnProperty("sealbook.checkpoint-directory")
    FileCheckpointer sealbookCheckpointer(SealbookProperties properties) throws IOException {
        Files.createDirectories(properties.checkpointDirectory());
        return FileCheckpointer.open(properties.checkpointDirectory().resolve(CHECKPOINT_FILE));
    }

    @Bean
    ReportDelivery sealbookReportDelivery(ApplicationEventPublisher events) {
        return new ReportDelivery(events::publishEvent);
    }

    /** Connected; the lifecycle closes it, and the delivery of reports if there is no lifecycle yet. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    BrokerClient brokerClient(
            SealbookProperties properties,
            ObjectProvider<SslBundles> bundles,
            ReportDelivery delivery,
            ObjectProvider<Checkpointer> checkpointers,
            ObjectProvider<BrokerClientCustomizer> customizers,
            ConfigurableListableBeanFactory factory) {
        requireNothingToSubmit(properties);
        BrokerClientBuilder builder = BrokerIdentity.builder(properties, bundles.getIfAvailable())
                .session(properties.session())
                .inFlightMax(properties.inFlightMax())
                .connectTimeout(properties.connectTimeout())
                .closeTimeout(properties.closeTimeout());
        Optional.ofNullable(properties.outboxDirectory()).ifPresent(builder::outbox);
        Optional.ofNullable(properties.validFor()).ifPresent(builder::validFor);
        if (properties.readOnly()) {
            builder.readOnly();
        }
        boolean isWithoutCheckpoint = false;
        if (hasListeners(factory)) {
            builder.executionReports(delivery);
            delivery.wired();
            Checkpointer checkpointer = checkpointers.getIfAvailable();
            if (checkpointer != null) {
                builder.checkpointer(checkpointer);
            }
            if (checkpointer == null || properties.outboxDirectory() != null) {
                builder.reportsFromNow();
            }
            isWithoutCheckpoint = checkpointer == null;
        }
        customizers.orderedStream().forEach(each -> each.customize(builder));
        BrokerClient client = isWithoutCheckpoint && properties.outboxDirectory() != null
                ? connectWithOutbox(builder)
                : builder.connect();
        delivery.endsWith(client::close);
        return client;
    }

    /** A read-only client has no session, and with it nothing of what is sent in one. */
    private static void requireNothingToSubmit(SealbookProperties properties) {
        if (properties.readOnly()) {
            requireUnset(properties.outboxDirectory() == null, "outbox-directory");
            requireUnset(properties.session() == 0, "session");
            requireUnset(properties.validFor() == null, "valid-for");
        }
    }

    private static void requireUnset(boolean isUnset, String property) {
        if (!isUnset) {
            throw new IllegalArgumentException("sealbook." + property
                    + " beside sealbook.read-only=true: a client that only reads takes no session, and submits"
                    + " nothing");
        }
    }

    /** Without a checkpoint: a customizer may have set the first report, or {@code connect} refuses the outbox. */
    private static BrokerClient connectWithOutbox(BrokerClientBuilder builder) {
        try {
            return builder.connect();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "sealbook.outbox-directory without sealbook.checkpoint-directory or a Checkpointer bean: "
                            + e.getMessage(),
                    e);
        }
    }

    @Bean
    BlockAge sealbookBlockAge(BrokerClient client) {
        return new BlockAge(client::chainHeight, System::nanoTime);
    }

    @Bean
    BrokerClientLifecycle sealbookBrokerClientLifecycle(
            BrokerClient client,
            ReportDelivery delivery,
            BlockAge blockAge,
            ObjectProvider<ExecutionReportListener> listeners,
            ConfigurableListableBeanFactory factory) {
        return new BrokerClientLifecycle(client, delivery, () -> allListeners(listeners, factory), blockAge);
    }

    /** Makes no bean. */
    private static boolean hasListeners(ConfigurableListableBeanFactory factory) {
        return factory.getBeanNamesForType(ExecutionReportListener.class, true, false).length > 1
                || !ReportMethod.find(factory).isEmpty();
    }

    private static List<ExecutionReportListener> allListeners(
            ObjectProvider<ExecutionReportListener> listeners, ConfigurableListableBeanFactory factory) {
        return Stream.concat(
                        listeners.orderedStream().filter(each -> !(each instanceof ReportDelivery)),
                        ReportMethod.find(factory).stream().map(each -> each.listener(factory)))
                .toList();
    }

    /** With Spring Boot's health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class HealthConfiguration {
        @Bean
        @ConditionalOnEnabledHealthIndicator("sealbook")
        @ConditionalOnMissingBean(name = "sealbookHealthIndicator")
        HealthIndicator sealbookHealthIndicator(
                BrokerClient client, ReportDelivery delivery, BlockAge blockAge, SealbookProperties properties) {
            return new BrokerHealthIndicator(
                    client::connectionReport,
                    () -> client.terms().getNodesCount(),
                    client::chainHeight,
                    delivery,
                    blockAge,
                    Optional.ofNullable(properties.health().blockAgeMax()));
        }
    }

    /** With Micrometer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class MeterConfiguration {
        @Bean
        BrokerMeters sealbookBrokerMeters(BrokerClient client, ReportDelivery delivery, BlockAge blockAge) {
            return new BrokerMeters(
                    client::metrics, client::inFlight, client::chainHeight, blockAge, delivery, Clock.systemUTC());
        }

        @Bean
        @ConditionalOnMissingBean
        TimedBroker timedBroker(BrokerClient client, MeterRegistry registry) {
            return new TimedBroker(client, registry);
        }
    }
}
