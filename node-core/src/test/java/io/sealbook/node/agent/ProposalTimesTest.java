package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.BlockTimes;
import org.junit.jupiter.api.Test;

class ProposalTimesTest {
    private final ProposalTimes times = new ProposalTimes();

    @Test
    void shouldMeasureFromTheFirstProposalOfABlock() {
        times.onAccepted(7, 100);
        times.onAccepted(8, 150);
        times.onAccepted(7, 500);

        BlockTimes block =
                times.onDelivered(7, 900).withArrival(60).withArrival(40).withArrival(80);

        assertThat(block.packingNs()).isEqualTo(60);
        assertThat(block.agreementNs()).isEqualTo(800);
        assertThat(times.onDelivered(8, 950).agreementNs()).isEqualTo(800);
        assertThat(times.count()).isZero();
    }

    @Test
    void shouldNotInventInstants() {
        BlockTimes restored = times.onDelivered(3, 50).withArrival(Payload.BEFORE_START);
        assertThat(restored.packingNs()).isNegative();
        assertThat(restored.agreementNs()).isNegative();

        times.onAccepted(4, 10);
        BlockTimes late = times.onDelivered(4, 50).withArrival(30);
        assertThat(late.packingNs()).as("the proposal came before its batches").isZero();
    }

    @Test
    void shouldCompareInstantsOfAClockThatOverflows() {
        times.onAccepted(1, Long.MIN_VALUE + 20);
        BlockTimes block = times.onDelivered(1, Long.MIN_VALUE + 50)
                .withArrival(Long.MIN_VALUE + 5)
                .withArrival(Long.MAX_VALUE - 4);

        assertThat(block.packingNs()).isEqualTo(25);
        assertThat(block.agreementNs()).isEqualTo(30);
    }

    @Test
    void shouldForgetWhatATransferPassed() {
        for (int sequence = 1; sequence <= 20; sequence++) {
            times.onAccepted(sequence, sequence);
        }

        times.discardThrough(15);

        assertThat(times.count()).isEqualTo(5);
    }
}
