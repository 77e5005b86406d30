package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sealbook.client.BookDepth;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.NoAgreementException;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.PriceLevel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A book is believed when two of four engines report it of the same block. */
class BookTest extends ClusterTest {
    private static final int INSTRUMENT = 1;
    private static final int LEVELS = 2;
    private static final Duration LONG = Duration.ofSeconds(AWAIT_LIMIT_S);
    /** For what must not come: too short only lets a fault pass. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private static Depth depth(long block, long... bids) {
        Depth.Builder depth = Depth.newBuilder()
                .setInstrumentId(INSTRUMENT)
                .setBlockSequence(block)
                .setTimeNs(1_000 * block)
                .addAsks(PriceLevel.newBuilder().setPrice(110).setQuantity(3).setOrderCount(1));
        for (long bid : bids) {
            depth.addBids(PriceLevel.newBuilder().setPrice(bid).setQuantity(7).setOrderCount(2));
        }
        return depth.build();
    }

    @Test
    void shouldBelieveWhatTwoEnginesReportOfABlock() throws Exception {
        cluster.depth(0, depth(9, 108));
        cluster.depth(1, depth(9, 100));
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<BookDepth> book = client.book(INSTRUMENT, LEVELS, 0, LONG);
            cluster.awaitDepthReaders(0, 1);
            cluster.awaitDepthReaders(1, 1);
            assertThat(book).as("two engines contradict each other").isNotDone();

            cluster.depth(2, depth(9, 100));

            assertThat(book.get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .isEqualTo(new BookDepth(
                            INSTRUMENT,
                            9,
                            9_000,
                            List.of(new BookDepth.Level(100, 7, 2)),
                            List.of(new BookDepth.Level(110, 3, 1)),
                            false));
            for (int node = 0; node < 3; node++) {
                cluster.awaitDepthReaders(node, 0);
            }
        }
    }

    @Test
    void shouldFindABlockAtWhichEnginesMeet() throws Exception {
        cluster.depth(0, depth(5, 101));
        cluster.depth(0, depth(6, 102));
        cluster.depth(0, depth(8, 104));
        cluster.depth(1, depth(6, 102));
        cluster.depth(1, depth(7, 103));
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(client.book(INSTRUMENT, LEVELS, 0, LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .blockSequence())
                    .isEqualTo(6);
        }
    }

    @Test
    void shouldNotCountAnEngineTwice() {
        cluster.depth(3, depth(9, 108));
        cluster.depth(3, depth(9, 108));
        // The same block, and another book.
        cluster.depth(2, depth(9, 107));
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(failure(client.book(INSTRUMENT, LEVELS, 0, SHORT)))
                    .isInstanceOf(NoAgreementException.class)
                    .hasMessage("no 2 engines reported the same book of instrument 1: {0=engine is STARTING,"
                            + " 1=engine is STARTING, 2=another book of block 9, 3=another book of block 9}");
        }
    }

    @Test
    void shouldNotCountAnEngineThatAnswersSomethingElse() {
        Depth otherInstrument =
                depth(9, 100).toBuilder().setInstrumentId(INSTRUMENT + 1).build();
        cluster.depth(0, otherInstrument);
        cluster.depth(1, otherInstrument);
        cluster.depth(2, depth(9, 102, 101, 100));
        cluster.depth(3, depth(9, 102, 101, 100));
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(failure(client.book(INSTRUMENT, LEVELS, 0, SHORT))).isInstanceOf(NoAgreementException.class);
        }
    }

    @Test
    void shouldWaitForEnginesThatStart() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<BookDepth> book = client.book(INSTRUMENT, LEVELS, 0, LONG);
            cluster.depth(1, depth(3, 100));
            cluster.depth(2, depth(3, 100));

            assertThat(book.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).blockSequence())
                    .isEqualTo(3);
        }
    }

    @Test
    void shouldEndWithTheClient() throws Exception {
        cluster.depth(1, depth(3, 100));
        BrokerClient client = cluster.client().connect();
        CompletableFuture<BookDepth> book = client.book(INSTRUMENT, LEVELS, 0, LONG);
        cluster.awaitDepthReaders(1, 1);

        client.close();

        assertThat(failure(book)).isInstanceOf(ClientClosedException.class);
        cluster.awaitDepthReaders(1, 0);
        assertThatThrownBy(() -> client.book(INSTRUMENT, LEVELS, 0, LONG)).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldRefuseABookWithoutLevels() {
        try (BrokerClient client = cluster.client().connect()) {
            assertThatThrownBy(() -> client.book(INSTRUMENT, 0, 0, LONG)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> client.book(INSTRUMENT, LEVELS, -1, LONG))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("from block -1");
        }
    }

    /** All engines have the book of block 8, in which the broker's order of block 9 is missing. */
    @Test
    void shouldReachTheBlockOfAReceipt() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.depth(node, depth(8, 100));
        }
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(client.book(INSTRUMENT, LEVELS, 8, LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .blockSequence())
                    .isEqualTo(8);
            CompletableFuture<BookDepth> book = client.book(INSTRUMENT, LEVELS, 9, LONG);
            for (int node = 0; node < 4; node++) {
                cluster.awaitDepthReaders(node, 1);
            }
            cluster.depth(0, depth(9, 101));
            cluster.depth(1, depth(10, 102));
            cluster.depth(3, depth(10, 102));

            assertThat(book.get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .extracting(
                            BookDepth::blockSequence, each -> each.bids().get(0).price())
                    .containsExactly(10L, 102L);
        }
    }

    @Test
    void shouldNameEnginesThatHaveNotReachedTheBlock() {
        cluster.depth(0, depth(8, 100));
        cluster.depth(1, depth(8, 100));
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(failure(client.book(INSTRUMENT, LEVELS, 9, SHORT)))
                    .isInstanceOf(NoAgreementException.class)
                    .hasMessageContaining("0=a book of block 8, before 9, 1=a book of block 8, before 9");
        }
    }

    private static Throwable failure(CompletableFuture<BookDepth> book) {
        return catchThrowableOfType(ExecutionException.class, () -> book.get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                .getCause();
    }
}
