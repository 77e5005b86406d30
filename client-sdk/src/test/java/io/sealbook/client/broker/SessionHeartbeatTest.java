package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.Submission;
import io.sealbook.client.submission.BatchReservation;
import io.sealbook.facts.Facts;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.OrderView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The time of a silent session, which several threads set. */
class SessionHeartbeatTest extends ClusterTest {
    /** The chain counts the time of the later batch, and so must the client: else it leaves that one on. */
    @Test
    void shouldCountTheTimeOfTheLaterBatchIfTwoThreadsSetIt() throws Exception {
        BrokerClient client = cluster.client().connect();
        CompletableFuture<Receipt> on = new CompletableFuture<>();
        Thread other = new Thread(() -> client.cancelAfter(Duration.ofHours(1)).thenAccept(on::complete));

        await(setAndMeanwhile(client, Duration.ZERO, other));
        await(on);
        client.close();

        assertThat(lastEntry().actionCode()).isEqualTo((byte) 'A');
        assertThat(lastEntry().quantityLots()).isZero();
    }

    @Test
    void shouldSwitchOffATimeThatIsSetWhileTheClientCloses() throws Exception {
        BrokerClient client = cluster.client().connect();
        Thread closing = new Thread(client::close);

        await(setAndMeanwhile(client, Duration.ofHours(1), closing));
        closing.join();

        assertThat(lastEntry().actionCode()).isEqualTo((byte) 'A');
        assertThat(lastEntry().quantityLots()).isZero();
    }

    /** Sets a time; another thread runs, until it waits or has ended, when the batch of the time is in line. */
    private static CompletableFuture<Receipt> setAndMeanwhile(BrokerClient client, Duration time, Thread other) {
        return client.heartbeat.set(time, orders -> {
            BatchReservation place = client.place(orders);
            return entry -> putAndMeanwhile(place, entry, other);
        });
    }

    private static CompletableFuture<Receipt> putAndMeanwhile(BatchReservation place, List<Order> entry, Thread other) {
        CompletableFuture<Receipt> receipt = place.put(entry);
        other.start();
        try {
            Facts.await(
                    "the other thread waits or has ended",
                    () -> other.getState() == Thread.State.BLOCKED || other.getState() == Thread.State.TERMINATED);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return receipt;
    }

    private OrderView lastEntry() {
        List<Submission> all = cluster.submissions();
        Submission last = all.get(all.size() - 1);
        return new OrderView().wrap(new BatchView().wrap(last.signedBatch().toByteArray()), 0);
    }
}
