package io.sealbook.engine.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineHeapTest {
    private static final long MB = 1_000_000;

    @Test
    void shouldRefuseAHeapThatTheAgreedBooksCouldFill() {
        AgreedMarket market = market(1_000_000);

        assertThat(market.requireHeap(256 * MB)).isSameAs(market);
        assertThatThrownBy(() -> market.requireHeap(120 * MB))
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining("1000000 live orders (liveOrderCountMax) may take 94 MB of heap")
                .hasMessageContaining("more than 75 % of its 120 MB")
                .hasMessageContaining("-Xmx");
    }

    @Test
    void shouldAdmitTenMillionOrdersIn1200MegabytesAndNotInTheQuickStartsHeap() {
        AgreedMarket market = market(10_000_000);

        assertThat(market.requireHeap(1_200 * MB)).isSameAs(market);
        assertThatThrownBy(() -> market.requireHeap(805 * MB)).hasMessageContaining("may take 814 MB of heap");
    }

    @Test
    void shouldGoOnUnderTermsThatOutgrowTheHeapAndNotStartUnderThem() {
        AgreedMarket market = market(1_000_000);
        market.requireHeap(256 * MB);
        Genesis.Builder wider = market.genesis().toBuilder();
        wider.getInstrumentsBuilder(1).setPriceMax(40_000_000).setQuantityMax(1_000);
        Membership next = Membership.of(wider.build());
        ChainTerms terms = new ChainTerms(market.membership(), next, List.of());

        assertThatThrownBy(() -> market.restore(terms))
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining("more than 75 % of its 256 MB");
        assertThat(market.membership()).isNotSameAs(next);
        market.follow(terms);
        assertThat(market.membership()).isSameAs(next);
    }

    @Test
    void shouldLeaveWhatBrokersAskForTheHeapThatTheBooksCannotTake() {
        AgreedMarket market = market(1_000_000);

        assertThat(market.requireHeap(600 * MB).ledgerBytes()).as("a third").isEqualTo(200 * MB);
        assertThat(market.requireHeap(136 * MB).ledgerBytes())
                .as("85 % without the books")
                .isBetween(21 * MB, 23 * MB);
        Genesis.Builder wider = market.genesis().toBuilder();
        wider.getInstrumentsBuilder(1).setPriceMax(40_000_000).setQuantityMax(1_000);
        market.follow(new ChainTerms(market.membership(), Membership.of(wider.build()), List.of()));
        assertThat(market.ledgerBytes()).as("the books may take all").isZero();
    }

    private static AgreedMarket market(int liveOrderCountMax) {
        Genesis.Builder genesis = TestMarket.genesis(1).toBuilder();
        genesis.getParametersBuilder().setLiveOrderCountMax(liveOrderCountMax);
        return new AgreedMarket(
                GenesisFile.parse(GenesisFile.toJson(genesis.build()).getBytes(StandardCharsets.UTF_8)));
    }
}
