package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.protocol.sbe.RejectReason;
import org.junit.jupiter.api.Test;

/** What a request costs beside its visits: sides of books that it need not consider. */
class MassCancelsTest {
    private static final int BOOKS = 2_000;
    private static final int BROKER = 1;
    private static final int OTHER_BROKER = 2;

    private final MarketConfig config = Markets.many(BOOKS, 100);
    private final OrderBooks books = new OrderBooks(
            config.instruments().stream().map(InstrumentConfig::prices).toList(),
            config.brokers().size(),
            100,
            1);
    private final ReportWriter reports = new ReportWriter(
            new ResultDigest(),
            config.brokers().stream().mapToInt(BrokerConfig::brokerId).toArray());
    private final MassCancels cancels = new MassCancels(books, new Instruments(config.instruments()), reports, 1_000);

    @Test
    void shouldConsiderNoBookForABrokerWithoutLiveOrders() {
        enter(OTHER_BROKER, 3);
        beginBlock(1);

        execute(MassCancel.ANY_BOOK);
        execute(3);

        assertThat(cancels.ladderCount()).isZero();
        assertThat(books.liveOrderCount(OTHER_BROKER)).isEqualTo(1);
    }

    @Test
    void shouldConsiderNoBookButTheOneThatIsNamed() {
        enter(BROKER, 1_900);
        enter(BROKER, 7);
        beginBlock(1);

        execute(BOOKS - 1);
        assertThat(cancels.ladderCount()).isEqualTo(2);
        execute(1_900);

        assertThat(cancels.ladderCount()).isBetween(3L, 4L);
        assertThat(books.liveOrderCount(BROKER)).isEqualTo(1);
        assertThat(cancels.isPending()).isFalse();
    }

    private void enter(int broker, int book) {
        OrderState order = new OrderState();
        order.book = book;
        order.broker = broker;
        order.clOrdId = 1 + book;
        order.orderId = 1 + book;
        order.price = 50;
        order.quantity = 5;
        order.leaves = 5;
        books.enter(order);
    }

    private void beginBlock(long sequence) {
        reports.beginBlock(sequence, sequence, new CoreDriver(config));
        cancels.beginBlock();
    }

    private void execute(int book) {
        int kind = Kind.of(Kind.MASS_CANCEL, Kind.ABSENT, Kind.ABSENT, Kind.ABSENT);
        reports.cause(0, 0);
        cancels.execute(
                new MassCancel(BROKER, RejectReason.MASS_CANCEL, 99, kind, 0, book + 1, book, 0, 0), Long.MAX_VALUE);
    }
}
