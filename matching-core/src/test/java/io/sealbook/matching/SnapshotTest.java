package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A restored core is the core that was written. */
class SnapshotTest {
    private static final MarketConfig CONFIG = Markets.two();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldGoOnAlikeWhenRestartedAtEveryBlock(long seed) throws IOException {
        CoreDriver straight = new CoreDriver(CONFIG);
        CoreDriver restarted = new CoreDriver(CONFIG);
        RandomFlow flow = new RandomFlow(seed, 2, 95, 12);
        for (int block = 1; block <= 300; block++) {
            RandomFlow.Block next = flow.next();
            restarted = new CoreDriver(MatchingCore.readSnapshot(CONFIG, in(write(restarted.core)), block));

            straight.block(next.timeNs(), next.batches());
            restarted.block(next.timeNs(), next.batches());

            assertThat(restarted.blockBytes.toByteArray()).isEqualTo(straight.blockBytes.toByteArray());
            assertThat(restarted.digest()).isEqualTo(straight.digest());
            assertThat(restarted.core.stateDigest()).isEqualTo(straight.core.stateDigest());
            assertThat(restarted.core.refusedEntryCount()).isEqualTo(straight.core.refusedEntryCount());
            assertThat(restarted.core.batchCount()).isEqualTo(straight.core.batchCount());
        }
        assertThat(straight.core.tradeCount()).isPositive();
    }

    @Test
    void shouldWriteTheSameBytesAfterReadingThem() throws IOException {
        byte[] bytes = write(filled(7).core);

        assertThat(write(MatchingCore.readSnapshot(CONFIG, in(bytes)))).isEqualTo(bytes);
    }

    @Test
    void shouldReadNotAByteBeyondItsEnd() throws IOException {
        byte[] bytes = write(filled(7).core);
        ByteArrayInputStream twice = in(concatenate(bytes, bytes));

        MatchingCore.readSnapshot(CONFIG, twice);

        assertThat(twice.available()).isEqualTo(bytes.length);
    }

    @Test
    void shouldRefuseEveryDamagedOrCutSnapshot() throws IOException {
        byte[] bytes = write(filled(7).core);

        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x40;
            assertThatThrownBy(() -> MatchingCore.readSnapshot(CONFIG, in(damaged)))
                    .as("byte " + i)
                    .isInstanceOf(SnapshotException.class);
        }
        for (int length = 0; length < bytes.length; length += 13) {
            byte[] cut = java.util.Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> MatchingCore.readSnapshot(CONFIG, in(cut)))
                    .as("length " + length)
                    .isInstanceOf(SnapshotException.class);
        }
    }

    @Test
    void shouldRefuseASnapshotOfAnotherConfiguration() throws IOException {
        byte[] bytes = write(filled(7).core);

        assertThatThrownBy(() -> MatchingCore.readSnapshot(Markets.many(2, 100), in(bytes)))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("another configuration");
    }

    @Test
    void shouldNotBeWrittenInsideABlock() {
        MatchingCore core = new MatchingCore(CONFIG);
        core.beginBlock(1, 1, new CoreDriver(core));

        assertThatThrownBy(core::stateDigest).isInstanceOf(BrokenInvariantException.class);
    }

    private static CoreDriver filled(long seed) {
        CoreDriver driver = new CoreDriver(CONFIG);
        RandomFlow flow = new RandomFlow(seed, 2, 95, 12);
        for (int block = 1; block <= 20; block++) {
            RandomFlow.Block next = flow.next();
            driver.block(next.timeNs(), next.batches());
        }
        assertThat(driver.core.liveOrderCount()).isPositive();
        return driver;
    }

    private static byte[] write(MatchingCore core) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        core.writeSnapshot(out);
        return out.toByteArray();
    }

    private static ByteArrayInputStream in(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }

    private static byte[] concatenate(byte[] first, byte[] second) {
        byte[] both = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
