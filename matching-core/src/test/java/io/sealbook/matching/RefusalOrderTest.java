package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.cancelAfter;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.massCancel;
import static io.sealbook.matching.Batch.replace;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Entries with two faults: the table of matching-rules.md says which one is named, on every engine the same. */
class RefusalOrderTest {
    /** Has accounts 9 and 555. */
    private static final int BROKER = 2;

    private static final int FOREIGN_ACCOUNT = 77;
    private static final int NO_INSTRUMENT = 99;

    private final CoreDriver market = new CoreDriver(Markets.two());

    static Stream<Arguments> entries() {
        return Stream.of(
                of("mass cancel: scope, instrument", massCancel(1, NO_INSTRUMENT, Side.BUY, 4, 0, 0), "INVALID_FIELD"),
                of("mass cancel: ClOrdID, instrument", massCancel(0, NO_INSTRUMENT), "INVALID_FIELD"),
                of(
                        "mass cancel: session, account",
                        massCancel(1, 0, Side.BUY, 3, FOREIGN_ACCOUNT, 1 << 20),
                        "INVALID_FIELD"),
                of(
                        "mass cancel: an account without its scope, instrument",
                        massCancel(1, NO_INSTRUMENT, Side.BUY, 0, FOREIGN_ACCOUNT, 0),
                        "INVALID_FIELD"),
                of(
                        "mass cancel: instrument, account",
                        massCancel(1, NO_INSTRUMENT, Side.BUY, 1, FOREIGN_ACCOUNT, 0),
                        "UNKNOWN_INSTRUMENT"),
                of("cancel-after: instrument, time", cancelAfter(NO_INSTRUMENT, 0, 1), "INVALID_FIELD"),
                of("cancel-after: account, time", cancelAfter(0, FOREIGN_ACCOUNT, 1), "INVALID_FIELD"),
                of("cancel-after: a known instrument", cancelAfter(Markets.GOOG, 0, 0), "INVALID_FIELD"),
                of("cancel-after: an own account", cancelAfter(0, 9, 0), "INVALID_FIELD"),
                of(
                        "new: instrument, account, ClOrdID",
                        order(0, NO_INSTRUMENT, FOREIGN_ACCOUNT, 0, 0),
                        "UNKNOWN_INSTRUMENT"),
                of("new: account, ClOrdID", order(0, Markets.GOOG, FOREIGN_ACCOUNT, 0, 0), "UNKNOWN_ACCOUNT"),
                of("new: ClOrdID, price", order(0, Markets.GOOG, 9, 0, 0), "INVALID_FIELD"),
                of("new: price, quantity", limit(1, Markets.GOOG, Side.BUY, 0, 0), "INVALID_PRICE"),
                of("cancel: instrument, order", cancel(1, 5, NO_INSTRUMENT), "UNKNOWN_INSTRUMENT"),
                of("replace: order, price", replace(1, 5, Markets.GOOG, Side.BUY, 0, 0), "UNKNOWN_ORDER"));
    }

    private static Arguments of(String faults, Batch.Request request, String reason) {
        return Arguments.of(faults, request, RejectReason.valueOf(reason));
    }

    private static Batch.Request order(long clOrdId, int instrumentId, int accountId, long price, long quantity) {
        return new Batch.Request(
                clOrdId,
                0,
                price,
                quantity,
                accountId,
                instrumentId,
                Action.NEW,
                Side.BUY,
                OrdType.LIMIT,
                TimeInForce.DAY);
    }

    private static Batch.Request cancelAfter(int instrumentId, int accountId, long units) {
        Batch.Request right = Batch.cancelAfter(1, units);
        return new Batch.Request(
                right.clOrdId(),
                0,
                0,
                units,
                accountId,
                instrumentId,
                right.action(),
                right.side(),
                right.ordType(),
                right.timeInForce());
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("entries")
    void shouldNameTheFirstFault(String faults, Batch.Request request, RejectReason reason) {
        market.block(Batch.of(BROKER, 1, 1, request));

        assertThat(market.reports).extracting(Report::rejectReason).containsExactly(reason);
    }

    /** The session is judged with the whole batch, before its validity and its entries. */
    @Test
    void shouldRefuseEachEntryOfASessionThatThereIsNot() {
        int session = Markets.two().sessionsPerBroker();
        Batch batch = Batch.of(BROKER, 1, 1_000, cancel(1, 5, NO_INSTRUMENT), massCancel(2, NO_INSTRUMENT))
                .in(session);

        market.block(batch);

        assertThat(market.reports)
                .extracting(Report::rejectReason)
                .containsExactly(RejectReason.INVALID_FIELD, RejectReason.INVALID_FIELD);
    }
}
