package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.BackPressureException;
import io.sealbook.client.Receipt;
import io.sealbook.facts.Facts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BackPressureTest extends ClusterTest {

    @Test
    void shouldHoldTheCallerBackAtTheBound() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client()
                .inFlightMax(3)
                .submitTimeout(Duration.ofMillis(30))
                .connect()) {
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long id = 1; id <= 3; id++) {
                receipts.add(client.submit(order(id)));
            }

            assertThat(client.inFlight()).isEqualTo(3);
            assertThat(client.trySubmit(order(4))).isEmpty();
            assertThat(client.trySubmit(List.of(order(4), order(5)))).isEmpty();
            assertThatThrownBy(() -> client.submit(order(4))).isInstanceOfSatisfying(BackPressureException.class, e -> {
                assertThat(e.inFlightMax()).isEqualTo(3);
                assertThat(e.isRetryable()).isTrue();
            });

            cluster.committing(true);
            awaitAll(receipts);
            assertThat(client.inFlight()).isZero();
            await(client.submit(order(4)));
            assertThat(cluster.executed()).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    @Test
    void shouldLetTheCallerGoOnAsSoonAsThereIsRoom() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().inFlightMax(1).connect()) {
            CompletableFuture<Receipt> first = client.submit(order(1));
            CompletableFuture<CompletableFuture<Receipt>> second =
                    CompletableFuture.supplyAsync(() -> client.submit(order(2)));
            assertThat(second).isNotDone();

            cluster.committing(true);

            await(first);
            await(second.get());
        }
    }

    @Test
    void shouldJoinTheOpenBatchWithoutMoreRoom() throws Exception {
        try (BrokerClient client = cluster.client()
                .inFlightMax(1)
                .batchSizeMax(3)
                .batchDelay(Duration.ofSeconds(20))
                .connect()) {
            client.submit(order(1));
            assertThat(client.trySubmit(order(2))).isPresent();

            await(client.trySubmit(order(3)).orElseThrow());

            assertThat(cluster.submissions()).hasSize(1);
        }
    }

    @Test
    void shouldRefuseRatherThanBlockTheThreadThatMakesRoom() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().inFlightMax(2).connect()) {
            AtomicReference<Throwable> seen = new AtomicReference<>();
            CompletableFuture<Void> told = client.submit(order(1)).thenAccept(receipt -> {
                try {
                    for (long id = 10; ; id++) {
                        client.submit(order(id));
                    }
                } catch (BackPressureException e) {
                    seen.set(e);
                }
            });
            Facts.await("sent", () -> !cluster.submissions().isEmpty());
            cluster.commit(1);

            told.get();

            assertThat(seen.get()).isInstanceOf(BackPressureException.class);
        }
    }

    @Test
    void shouldKeepTheInterruptOfACallerThatWaits() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().inFlightMax(1).connect()) {
            client.submit(order(1));
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> client.submit(order(2))).isInstanceOf(BackPressureException.class);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(client.inFlight()).isEqualTo(1);
            cluster.committing(true);
        }
    }
}
