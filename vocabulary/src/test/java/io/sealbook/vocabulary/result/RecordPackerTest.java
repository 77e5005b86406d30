package io.sealbook.vocabulary.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPackerTest {
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 63, 64, 65, 127, 128, 129, 135, 136, 153, 256, 300})
    void shouldGiveBackWhatItPacked(int length) {
        SplittableRandom random = new SplittableRandom(length);
        RecordPacker packer = new RecordPacker(length);
        byte[][] records = new byte[500][];
        byte[] packed = new byte[records.length * packer.packedLengthMax() + RecordPacker.SLACK];
        int end = 0;
        for (int i = 0; i < records.length; i++) {
            records[i] = i == 0 ? new byte[length] : records[i - 1].clone();
            change(records[i], random);
            int at = end;
            end = packer.pack(records[i], 0, packed, at);
            assertThat(end - at).isBetween(1, packer.packedLengthMax());
        }
        packer.reset();
        byte[] unpacked = new byte[length + 2];
        int at = 0;
        for (byte[] record : records) {
            at = packer.unpack(packed, at);
            packer.copy(unpacked, 1);
            assertThat(Arrays.copyOfRange(unpacked, 1, length + 1)).isEqualTo(record);
        }
        assertThat(at).isEqualTo(end);
        assertThat(unpacked[0]).isZero();
        assertThat(unpacked[length + 1]).isZero();
    }

    @Test
    void shouldTakeOneByteForASmallStepOfACounter() {
        RecordPacker packer = new RecordPacker(16);
        byte[] record = new byte[16];
        byte[] packed = new byte[100];
        ByteBuffer words = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        words.putLong(0, Long.MAX_VALUE);
        packer.pack(record, 0, packed, 0);
        words.putLong(0, Long.MIN_VALUE + 14);

        assertThat(packer.pack(record, 0, packed, 0)).isEqualTo(1 + 1);
    }

    /** Nothing, a few low bits, single bytes, or everything. */
    private static void change(byte[] record, SplittableRandom random) {
        switch (random.nextInt(5)) {
            case 0 -> {}
            case 1 -> random.nextBytes(record);
            case 2 -> Arrays.fill(record, (byte) -1);
            default -> {
                for (int i = random.nextInt(record.length); i < record.length; i += 1 + random.nextInt(20)) {
                    record[i] += (byte) (random.nextInt(5) - 2);
                }
            }
        }
    }
}
