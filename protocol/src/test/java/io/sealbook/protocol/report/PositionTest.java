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

    @Test
    void shouldRefuseWhatIsNoFillOrTooMuch() {
        Position large = new Position(1, Long.MAX_VALUE - 5, 0, 0);

        assertThatThrownBy(() -> Position.NONE.plus((byte) 0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> large.plus(BUY, 3, 2)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> Position.NONE.plus(SELL, Long.MAX_VALUE, 2)).isInstanceOf(ArithmeticException.class);
    }
}
