package io.sealbook.client.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxSegmentTest {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve(OutboxSegment.PREFIX + 1);
    }

    private FileChannel channel() throws IOException {
        return FileChannel.open(file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Test
    void shouldCutOffWhatAnErrorLeft() throws IOException {
        try (OutboxSegment segment = new OutboxSegment(file(), new BreakingChannel(channel(), false))) {
            assertThatThrownBy(() -> segment.append(List.of(new byte[10]))).isInstanceOf(OutOfMemoryError.class);

            assertThat(segment.isUncut()).isFalse();
            assertThat(Files.size(file())).isZero();
        }
    }

    @Test
    void shouldReportWhatItCannotCutOff() throws IOException {
        try (OutboxSegment segment = new OutboxSegment(file(), new BreakingChannel(channel(), true))) {
            assertThatThrownBy(() -> segment.append(List.of(new byte[10]))).isInstanceOf(OutOfMemoryError.class);

            assertThat(segment.isUncut()).isTrue();
            assertThat(Files.size(file())).isPositive();
        }
    }

    /** Has memory for the first part of a write alone, as the JDK may that copies each of them out of the heap. */
    private static final class BreakingChannel extends SameChannel {
        private final Error error = new OutOfMemoryError("Cannot reserve 10 bytes of direct buffer memory");
        private final boolean isBroken;

        /** @param isBroken whether it cannot be cut off either */
        BreakingChannel(FileChannel channel, boolean isBroken) {
            super(channel);
            this.isBroken = isBroken;
        }

        @Override
        public long write(ByteBuffer[] parts, int offset, int length) throws IOException {
            super.write(parts, offset, 1);
            throw error;
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            if (isBroken) {
                throw error;
            }
            return super.truncate(size);
        }
    }
}
