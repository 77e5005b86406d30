package io.sealbook.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two blocks whose messages need several frames, through both outputs. */
@Timeout(120)
class FramedOutputTest {
    private static final int MESSAGE_LENGTH = 10_000;
    private static final int MESSAGES = 25;
    private static final int SMALL = 95_000;
    private static final int LARGE = 1_000_000;
    private static final int FRAMES = 4;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> heads = new ArrayList<>();

    @Test
    void shouldHandEveryFrameOverInOrder() {
        write(new DirectOutput(LARGE, true, this::take));
        byte[] inOneFrame = bytes.toByteArray();
        assertThat(heads).containsExactly("1 at 10 from 0, last", "2 at 20 from 0, last");
        assertThat(inOneFrame).hasSizeGreaterThanOrEqualTo(2 * MESSAGES * MESSAGE_LENGTH);

        forget();
        write(new DirectOutput(SMALL, true, this::take));
        List<String> direct = List.copyOf(heads);
        assertThat(bytes.toByteArray()).isEqualTo(inOneFrame);
        assertThat(direct)
                .containsExactly(
                        "1 at 10 from 0",
                        "1 at 10 from 9",
                        "1 at 10 from 18, last",
                        "2 at 20 from 0",
                        "2 at 20 from 9",
                        "2 at 20 from 18, last");

        forget();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        write(new OutputRing(
                FRAMES, SMALL, true, List.of((frame, sequence, isEndOfBatch) -> take(frame)), failures::add));
        assertThat(failures).isEmpty();
        assertThat(bytes.toByteArray()).isEqualTo(inOneFrame);
        assertThat(heads).isEqualTo(direct);
    }

    /** Closes it too, so that its consumer has read everything. */
    private static void write(BlockOutput output) {
        try (output) {
            for (int block = 1; block <= 2; block++) {
                output.beginBlock(block, 10 * block);
                for (int i = 0; i < MESSAGES; i++) {
                    byte[] message = new byte[MESSAGE_LENGTH];
                    message[0] = (byte) block;
                    message[1] = (byte) i;
                    output.add(new UnsafeBuffer(message), 0, MESSAGE_LENGTH);
                }
                output.endBlock(new BlockEnd(null, List.of()));
            }
        }
    }

    private void take(OutputFrame frame) {
        bytes.write(frame.bytes(), 0, frame.length());
        heads.add(frame.blockSequence() + " at " + frame.blockTimeNs() + " from " + frame.firstIndex()
                + (frame.isLast() ? ", last" : ""));
    }

    private void forget() {
        bytes.reset();
        heads.clear();
    }
}
