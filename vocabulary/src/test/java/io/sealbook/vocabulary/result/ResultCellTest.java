package io.sealbook.vocabulary.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ResultCellTest {
    @Test
    void shouldHaveTheLayoutOfItsTable() {
        byte[] bytes = new byte[ResultCell.LENGTH];
        new ResultCell(0x01020304, 0x0506, ResultEvent.CANCEL_REJECTED, 7, 0x11, 0x12, 0x13).write(bytes, 0);

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("04030201" + "0605" + "08" + "07" + "1100000000000000" + "1200000000000000"
                        + "1300000000000000");
    }

    @Test
    void shouldReadWhatItWrites() {
        SplittableRandom random = new SplittableRandom(7);
        byte[] bytes = new byte[ResultCell.LENGTH + 9];
        for (int i = 0; i < 1_000; i++) {
            ResultCell cell = new ResultCell(
                    random.nextLong(ResultCell.NO_BATCH + 1),
                    random.nextInt(ResultCell.NO_ORDER + 1),
                    ResultEvent.values()[random.nextInt(ResultEvent.values().length)],
                    random.nextInt(256),
                    random.nextLong(),
                    random.nextLong(),
                    random.nextLong());
            int at = random.nextInt(10);
            cell.write(bytes, at);

            assertThat(ResultCell.read(bytes, at)).isEqualTo(cell);
        }
    }

    @Test
    void shouldRefuseAnEventThatMeansNothing() {
        for (int code : new int[] {0, 10, 255}) {
            byte[] bytes = new byte[ResultCell.LENGTH];
            bytes[6] = (byte) code;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ResultCell.read(bytes, 0))
                    .withMessage("event " + code + ", expected 1..9");
        }
    }
}
