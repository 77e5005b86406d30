package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.replace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot that is written while blocks change the books has the state of the block it was begun after. */
class SnapshotPortionsTest {
    private static final MarketConfig CONFIG = Markets.two();
    private static final int BLOCKS = 400;
    /** More than a buffer of a snapshot holds. */
    private static final int ORDERS = 1_200;

    private static final int PER_BLOCK = 60;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldHoldTheStateOfItsBeginning(long seed) throws IOException {
        Random random = new Random(seed);
        int visitsMax = 3;
        CoreDriver exchange = new CoreDriver(new MatchingCore(CONFIG, seed, 0, visitsMax));
        RandomFlow flow = new RandomFlow(seed, 2, 95, 12);
        if (seed % 2 == 0) {
            flow.withRequests();
        }
        List<RandomFlow.Block> since = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CoreSnapshot snapshot = exchange.core.beginSnapshot(bytes);
        byte[] begun = exchange.core.stateDigest();
        int restored = 0;
        int severalBlocks = 0;
        for (int block = 1; block <= BLOCKS; block++) {
            RandomFlow.Block next = flow.next();
            exchange.block(next.timeNs(), next.batches());
            since.add(next);
            if (snapshot.advance(1 + random.nextInt(8))) {
                CoreDriver other = new CoreDriver(read(bytes, visitsMax));
                assertThat(other.core.stateDigest()).isEqualTo(begun);
                since.forEach(later -> other.block(later.timeNs(), later.batches()));
                assertThat(other.digest()).isEqualTo(exchange.digest());
                assertThat(other.core.stateDigest()).isEqualTo(exchange.core.stateDigest());
                restored++;
                severalBlocks += since.size() > 3 ? 1 : 0;
                since.clear();
                bytes.reset();
                snapshot = exchange.core.beginSnapshot(bytes);
                begun = exchange.core.stateDigest();
            }
        }
        assertThat(restored).isGreaterThan(10);
        assertThat(severalBlocks).isGreaterThan(5);
    }

    @Test
    void shouldHoldAnOrderThatIsReducedInItsPlace() throws IOException {
        CoreDriver exchange = new CoreDriver(CONFIG);
        exchange.block(Batch.of(1, 1, 1, limit(1, Markets.GOOG, Side.BUY, 100, 10)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CoreSnapshot snapshot = exchange.core.beginSnapshot(bytes);
        byte[] begun = exchange.core.stateDigest();

        exchange.block(Batch.of(1, 2, 2, replace(2, 1, Markets.GOOG, Side.BUY, 100, 4)));

        assertThat(exchange.core.findOrder(1, 2)).isPresent();
        assertThat(snapshot.advance(1)).isTrue();
        assertThat(read(bytes, 3).stateDigest()).isEqualTo(begun);
    }

    @Test
    void shouldBeWrittenWholeBeforeAnotherConfiguration() throws IOException {
        CoreDriver exchange = filled();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CoreSnapshot snapshot = exchange.core.beginSnapshot(bytes);
        byte[] begun = exchange.core.stateDigest();
        List<InstrumentConfig> wider = CONFIG.instruments().stream()
                .map(i -> new InstrumentConfig(
                        i.instrumentId(),
                        i.symbol(),
                        i.priceDecimals(),
                        i.priceMin(),
                        i.priceMax() + 64,
                        i.quantityMax(),
                        i.reduceKeepsPriority()))
                .toList();
        exchange.core.reconfigure(MarketConfig.of(
                CONFIG.chainId(), wider, CONFIG.brokers(), CONFIG.orderCountMax(), CONFIG.validityBlocksMax()));

        exchange.block(exchange.core.lastBlockTimeNs() + 1);

        assertThat(snapshot.advance(1)).isTrue();
        assertThat(read(bytes, 5).stateDigest()).isEqualTo(begun);
    }

    @Test
    void shouldAdmitOneAtATime() throws IOException {
        CoreDriver exchange = filled();
        CoreSnapshot first = exchange.core.beginSnapshot(OutputStream.nullOutputStream());

        assertThatThrownBy(() -> exchange.core.writeSnapshot(OutputStream.nullOutputStream()))
                .isInstanceOf(BrokenInvariantException.class);

        first.abandon();
        exchange.core.writeSnapshot(OutputStream.nullOutputStream());
        assertThatThrownBy(() -> first.advance(1)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotDisturbTheCoreWhenItsStreamFails() throws IOException {
        CoreDriver straight = new CoreDriver(CONFIG);
        CoreDriver exchange = new CoreDriver(CONFIG);
        for (int block = 1; block <= ORDERS / PER_BLOCK; block++) {
            Batch.Request[] orders = requests(block, id -> limit(id, Markets.GOOG, Side.BUY, 100 + id % 7, 10));
            straight.block(Batch.of(1, block, block, orders));
            exchange.block(Batch.of(1, block, block, orders));
        }
        CoreSnapshot snapshot = exchange.core.beginSnapshot(new FullDisk());

        for (int block = 1; block <= ORDERS / PER_BLOCK; block++) {
            Batch.Request[] cancels = requests(block, id -> cancel(id + ORDERS, id, Markets.GOOG));
            long sequence = straight.core.lastSequence() + 1;
            straight.block(Batch.of(1, sequence, sequence, cancels));
            exchange.block(Batch.of(1, sequence, sequence, cancels));
        }

        assertThat(exchange.core.liveOrderCount()).isZero();
        assertThat(exchange.digest()).isEqualTo(straight.digest());
        assertThatThrownBy(() -> snapshot.advance(1)).hasMessage("No space left on device");
        exchange.core.writeSnapshot(OutputStream.nullOutputStream());
    }

    private static Batch.Request[] requests(int block, LongFunction<Batch.Request> request) {
        long first = (block - 1) * PER_BLOCK + 1;
        return LongStream.range(first, first + PER_BLOCK).mapToObj(request).toArray(Batch.Request[]::new);
    }

    /** Takes no byte. */
    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    private static CoreDriver filled() {
        CoreDriver exchange = new CoreDriver(CONFIG);
        RandomFlow flow = new RandomFlow(7, 2, 95, 12);
        for (int block = 1; block <= 20; block++) {
            RandomFlow.Block next = flow.next();
            exchange.block(next.timeNs(), next.batches());
        }
        assertThat(exchange.core.liveOrderCount()).isGreaterThan(5);
        return exchange;
    }

    private static MatchingCore read(ByteArrayOutputStream bytes, int visitsMax) throws IOException {
        return MatchingCore.readSnapshot(CONFIG, new ByteArrayInputStream(bytes.toByteArray()), 5, visitsMax);
    }
}
