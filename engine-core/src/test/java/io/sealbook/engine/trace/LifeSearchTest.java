package io.sealbook.engine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.LifeSearch.Scope;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A search with a limit, in files of a running engine: order 1 is filled lot by lot, once per block. */
@Timeout(300)
class LifeSearchTest {
    private static final int BUYER = 1;
    private static final int BLOCKS = 60;
    private static final int LOTS = 20;

    @TempDir
    Path directory;

    private final TestFlow flow = new TestFlow(3);
    private TestNode node;
    private TestEngine engine;

    @BeforeEach
    void trade() throws Exception {
        node = TestNode.withArchive(directory, TestMarket.write(directory, 1).digest());
        node.commit(flow.batch(BUYER, List.of(Entry.limit(1, 101, 1, Side.BUY, 100, 1_000_000))));
        for (int block = 2; block <= BLOCKS; block++) {
            List<Entry> sells = new ArrayList<>();
            for (int lot = 0; lot < LOTS; lot++) {
                sells.add(Entry.limit(1_000L * block + lot, 201, 1, Side.SELL, 100, 1));
            }
            node.commit(flow.batch(2, sells));
        }
        engine = new TestEngine(directory, Map.of("sealbook.engine.reports.per-segment", "100")).await(BLOCKS);
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    @Test
    void shouldFindTheWholeLifeWithinItsLimit() {
        OrderLife life = search(new Scope(1, BLOCKS, 1 << 20));

        assertThat(life.isComplete()).isTrue();
        assertThat(life.searchedFrom()).isOne();
        assertThat(life.events()).hasSize(1 + 1 + (BLOCKS - 1) * LOTS);
        assertThat(life.events().getFirst()).isInstanceOf(OrderLife.SignedEntry.class);
    }

    @Test
    void shouldSearchTheNewestReportsIfThereAreMore() {
        OrderLife life = search(new Scope(1, BLOCKS, 20_000));

        assertThat(life.isComplete()).isFalse();
        assertThat(life.events()).isNotEmpty();
        assertThat(life.events().getLast().block()).isEqualTo(BLOCKS);
        assertThat(life.searchedFrom()).isBetween(2L, (long) BLOCKS);
        long whole = life.events().stream()
                .filter(event -> event.block() == life.searchedFrom())
                .count();
        assertThat(whole).as("all of the first block that it names").isEqualTo(LOTS);
        assertThat(life.lastStates().values())
                .singleElement()
                .satisfies(last -> assertThat(last.cumQtyLots()).isEqualTo((BLOCKS - 1) * LOTS));
    }

    @Test
    void shouldEndWithTheBlockThatWasNamed() {
        OrderLife life = search(new Scope(1, 3, 1 << 20));

        assertThat(life.searchedTo()).isEqualTo(3);
        assertThat(life.events()).hasSize(2 + 2 * LOTS);
    }

    /** Without a limit the archive is read, too: the same life, however little the reports reach back. */
    @Test
    void shouldFindTheEntryOfALifeWhoseReportsBeginLater() {
        OrderLife life = search(Scope.all(BLOCKS - 1, BLOCKS));

        assertThat(life.events()).hasSize(2 * LOTS).noneMatch(OrderLife.SignedEntry.class::isInstance);
        assertThat(search(Scope.all(1, BLOCKS)).events()).hasSize(2 + (BLOCKS - 1) * LOTS);
    }

    /** An order under the ClOrdID of many later ones, which goes on under another one. */
    @Test
    void shouldRememberNoMoreOrdersThanItReturnsReports() throws Exception {
        node.commit(flow.batch(BUYER, List.of(Entry.limit(7, 101, 2, Side.BUY, 50, 10))));
        node.commit(flow.batch(BUYER, List.of(Entry.replace(8, 7, 101, 2, Side.BUY, 50, 10))));
        int orders = 0;
        while (orders <= LifeSearch.REPORTS_MAX) {
            List<Entry> atOnce = Collections.nCopies(100, immediate(7));
            node.commit(flow.batch(BUYER, atOnce));
            orders += atOnce.size();
        }
        long lastOfMany = node.lastSequence();
        node.commit(flow.batch(2, List.of(Entry.limit(9, 201, 2, Side.SELL, 50, 1))));
        engine.await(node.lastSequence());

        OrderLife life = search(new Scope(1, node.lastSequence(), 1 << 26), 7);

        List<Long> blocksOfReports = life.events().stream()
                .filter(OrderLife.ReportedResult.class::isInstance)
                .map(OrderLife.LifeEvent::block)
                .toList();
        assertThat(blocksOfReports).hasSize(LifeSearch.REPORTS_MAX).endsWith(lastOfMany);
        assertThat(life.isComplete()).isFalse();
        assertThat(life.searchedFrom()).isGreaterThan(BLOCKS + 2);
    }

    /** Order 7 goes on while a second one with its ClOrdID is refused. */
    @Test
    void shouldTakeNoRefusedDuplicateForTheBeginOfTheOrder() throws Exception {
        Entry order = Entry.limit(7, 101, 2, Side.BUY, 50, 10);
        node.commit(flow.batch(BUYER, List.of(order)));
        long accepted = node.lastSequence();
        node.commit(flow.batch(BUYER, List.of(order)));
        long refused = node.lastSequence();
        node.commit(flow.batch(2, List.of(Entry.limit(9, 201, 2, Side.SELL, 50, 4))));
        long filled = node.lastSequence();
        engine.await(filled);

        assertThat(complete(accepted, filled)).isTrue();
        assertThat(complete(refused, filled)).as("refused, then filled").isFalse();
        assertThat(complete(refused, refused)).as("refused as a duplicate").isFalse();
        OrderLife life = search(Scope.all(1, filled), 7);
        assertThat(life.lastStates().values())
                .singleElement()
                .satisfies(last -> assertThat(last.cumQtyLots()).isEqualTo(4));
    }

    /** Refused for another reason, it has no other life. */
    @Test
    void shouldTakeARefusalForTheBeginIfThereIsNoOrder() throws Exception {
        node.commit(flow.batch(BUYER, List.of(Entry.limit(7, 101, 2, Side.BUY, -1, 10))));
        long refused = node.lastSequence();
        node.commit(flow.batch(BUYER, List.of(Entry.cancel(8, 7, 101, 2, Side.BUY))));
        long cancelled = node.lastSequence();
        engine.await(cancelled);

        assertThat(complete(refused, cancelled)).isTrue();
        assertThat(complete(cancelled, cancelled)).as("a refused cancel").isFalse();
    }

    private boolean complete(long from, long to) {
        return search(Scope.all(from, to), 7).isComplete();
    }

    private static Entry immediate(long clOrdId) {
        return new Entry(
                clOrdId, 0, 101, 2, Action.NEW, Side.BUY, OrdType.LIMIT, TimeInForce.IMMEDIATE_OR_CANCEL, 10, 1);
    }

    private OrderLife search(Scope scope) {
        return search(scope, 1);
    }

    private OrderLife search(Scope scope, long clOrdId) {
        return new LifeSearch(new EngineDirectory(directory), scope).search(BUYER, clOrdId, false);
    }
}
