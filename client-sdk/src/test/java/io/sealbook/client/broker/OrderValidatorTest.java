package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderValidatorTest {
    private static final long PRICE_MIN = 10;
    private static final long PRICE_MAX = 1_000;
    private static final long QUANTITY_MAX = 500;

    private final OrderValidator validator = new OrderValidator(
            Genesis.newBuilder()
                    .setParameters(Parameters.newBuilder().setOrderCountMax(4))
                    .addInstruments(Instrument.newBuilder()
                            .setInstrumentId(7)
                            .setPriceMin(PRICE_MIN)
                            .setPriceMax(PRICE_MAX)
                            .setQuantityMax(QUANTITY_MAX))
                    .build(),
            new SigningBroker(
                    Broker.newBuilder()
                            .addAccounts(AccountRange.newBuilder().setFirst(3))
                            .build(),
                    BrokerKey.getDefaultInstance()));

    @Test
    void shouldAdmitEveryKindOfEntryAtItsLimits() {
        assertThatCode(() -> validator.check(List.of(
                        limit(PRICE_MIN, 1),
                        limit(PRICE_MAX, QUANTITY_MAX),
                        Order.market(3, 3, 7, Side.SELL, QUANTITY_MAX),
                        Order.cancel(4, 1, 3, 7, Side.BUY))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, QUANTITY_MAX + 1, Long.MAX_VALUE})
    void shouldRefuseQuantitiesOutsideTheLimits(long quantity) {
        refuses(limit(PRICE_MIN, quantity), RejectReason.INVALID_QUANTITY);
        refuses(Order.replace(2, 1, 3, 7, Side.BUY, PRICE_MIN, quantity), RejectReason.INVALID_QUANTITY);
        refuses(Order.market(2, 3, 7, Side.BUY, quantity), RejectReason.INVALID_QUANTITY);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, 0, PRICE_MIN - 1, PRICE_MAX + 1, Long.MAX_VALUE})
    void shouldRefusePricesOutsideTheLimits(long price) {
        refuses(limit(price, 1), RejectReason.INVALID_PRICE);
    }

    @Test
    void shouldRefuseAMarketOrderWithAPrice() {
        refuses(
                new Order(
                        Action.NEW,
                        1,
                        0,
                        3,
                        7,
                        Side.BUY,
                        OrdType.MARKET,
                        TimeInForce.IMMEDIATE_OR_CANCEL,
                        PRICE_MIN,
                        1),
                RejectReason.INVALID_PRICE);
    }

    @Test
    void shouldRefuseWhatIsUnknown() {
        refuses(Order.limit(1, 3, 8, Side.BUY, PRICE_MIN, 1), RejectReason.UNKNOWN_INSTRUMENT);
        refuses(Order.limit(1, 4, 7, Side.BUY, PRICE_MIN, 1), RejectReason.UNKNOWN_ACCOUNT);
        refuses(Order.cancel(2, 0, 3, 7, Side.BUY), RejectReason.UNKNOWN_ORDER);
        refuses(Order.replace(2, 0, 3, 7, Side.BUY, PRICE_MIN, 1), RejectReason.UNKNOWN_ORDER);
    }

    @Test
    void shouldRefuseFieldsThatSayNothing() {
        refuses(Order.limit(0, 3, 7, Side.BUY, PRICE_MIN, 1), RejectReason.INVALID_FIELD);
        refuses(Order.limit(1, 3, 7, Side.NULL_VAL, PRICE_MIN, 1), RejectReason.INVALID_FIELD);
        refuses(limit(PRICE_MIN, 1).withTimeInForce(TimeInForce.NULL_VAL), RejectReason.INVALID_FIELD);
        refuses(
                new Order(Action.NEW, 2, 1, 3, 7, Side.BUY, OrdType.LIMIT, TimeInForce.DAY, PRICE_MIN, 1),
                RejectReason.INVALID_FIELD);
    }

    @Test
    void shouldRefuseEmptyAndOversizeBatches() {
        assertThatThrownBy(() -> validator.check(List.of())).isInstanceOf(InvalidOrderException.class);
        assertThatThrownBy(() -> validator.check(Collections.nCopies(5, limit(PRICE_MIN, 1))))
                .isInstanceOfSatisfying(
                        InvalidOrderException.class, e -> assertThat(e.reason()).isEqualTo(RejectReason.CAPACITY));
    }

    private static Order limit(long price, long quantity) {
        return Order.limit(1, 3, 7, Side.BUY, price, quantity);
    }

    private void refuses(Order order, RejectReason reason) {
        assertThatThrownBy(() -> validator.check(List.of(limit(PRICE_MIN, 1), order)))
                .isInstanceOfSatisfying(InvalidOrderException.class, e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e.orderIndex()).isEqualTo(1);
                });
    }
}
