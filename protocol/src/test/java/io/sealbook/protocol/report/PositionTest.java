package io.sealbook.protocol.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PositionTest {
    private static final byte BUY = '1';
    private static final byte SELL = '2';

    @Test
    void shouldAddUpFillsBySide() {
        Position position = Position.NONE.plus(BUY, 100, 7).plus(SELL, 110, 3).plus(BUY, 90, 1);

        assertThat(position).isEqualTo(new Position(8, 790, 3, 330));
        assertThat(position.netQuantity()).isEqualTo(5);
    }

    /** In whichever order fills come, and however many of them are added up first. */
    @Test
    void shouldStayAtTheLargestNumber() {
        Position large = new Position(Long.MAX_VALUE - 1, Long.MAX_VALUE - 5, 1, 5);

        assertThat(large.plus(BUY, 3, 2)).isEqualTo(new Position(Long.MAX_VALUE, Long.MAX_VALUE, 1, 5));
        assertThat(large.plus(BUY, 3, 2).plus(BUY, 1, 1)).isEqualTo(new Position(Long.MAX_VALUE, Long.MAX_VALUE, 1, 5));
        assertThat(large.plus(SELL, 1, Long.MAX_VALUE).soldValue()).isEqualTo(Long.MAX_VALUE);
        assertThat(large.plus(SELL, 1, Long.MAX_VALUE).soldQuantity()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldRefuseWhatIsNoFill() {
        assertThatThrownBy(() -> Position.NONE.plus((byte) 0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Position.NONE.plus(SELL, Long.MAX_VALUE, 2)).isInstanceOf(ArithmeticException.class);
    }
}
