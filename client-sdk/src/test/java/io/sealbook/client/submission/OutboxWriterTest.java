package io.sealbook.client.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.Order;
import io.sealbook.client.OutboxException;
import io.sealbook.client.Receipt;
import io.sealbook.client.codec.SessionEncoder;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.client.outbox.BrokerOutbox;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class OutboxWriterTest {
    private static final long CHAIN_ID = 77;
    private static final int BROKER_ID = 5;

    @TempDir
    private Path directory;

    private final SessionEncoder encoder =
            new SessionEncoder(CHAIN_ID, BROKER_ID, 1, SignatureScheme.SM2_SM3, 10, BatchPosition.first(0));
    private final BatchLine line = new BatchLine();
    private final BatchResults results =
            new BatchResults(line, Runnable::run, new ClientCounters(), new NoListener(), true);

    /** Both batches are in one write, which may be whole on the disk. */
    @Test
    void shouldNotCallUnsentWhatADiskNeitherKeepsNorCutsOff() throws Exception {
        OutgoingBatch first = batch(1);
        OutgoingBatch second = batch(2);
        OutgoingBatch third = batch(3);
        CompletableFuture<Receipt> ofSecond = second.newFuture();
        CompletableFuture<Receipt> ofThird = third.newFuture();
        BrokerOutbox outbox = BrokerOutbox.open(directory, CHAIN_ID, BROKER_ID);
        outbox.append(List.of(first.sealed()));
        outbox.close(); // Its file takes nothing more, and cannot be cut off.
        OutboxWriter writer = new OutboxWriter("outbox-writer-test", outbox, batch -> {}, this::failed);
        try {
            writer.begin(2);

            writer.put(third);
            writer.put(second);

            assertThat(failureOf(ofSecond))
                    .isInstanceOfSatisfying(
                            OutboxException.class, e -> assertThat(e.isSent()).isTrue());
            assertThat(failureOf(ofThird))
                    .isInstanceOfSatisfying(
                            ClientClosedException.class,
                            e -> assertThat(e.isSent()).isTrue());
        } finally {
            writer.close(TimeUnit.MINUTES.toNanos(1));
        }
    }

    /** As the submitter does. */
    private void failed(OutgoingBatch batch, RuntimeException cause) {
        if (!batch.isDone) {
            results.failed(batch, cause);
            results.endSession(batch, "number " + batch.sealed().number() + " was not signed", cause);
        }
    }

    private OutgoingBatch batch(long number) {
        List<Order> orders = List.of(Order.limit(number, 1, 1, Side.BUY, 100, 10));
        OutgoingBatch batch = new OutgoingBatch(orders, 4);
        batch.number(number);
        batch.seal(encoder.encode(orders, 1_000, 1));
        line.add(batch);
        return batch;
    }

    private static Throwable failureOf(CompletableFuture<Receipt> future) {
        return catchThrowable(future::get).getCause();
    }

    private static final class NoListener implements SessionListener {
        @Override
        public void onLeft(OutgoingBatch batch) {}

        @Override
        public void onEnded(long number) {}

        @Override
        public void onRefused(long number, String why) {}
    }
}
