package io.sealbook.chaos.liar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LieFileTest {
    private static final int LIES = 20_000;

    @TempDir
    private Path directory;

    /** The run ends lies whenever it likes; a process that fails to read the file would lie no more. */
    @Test
    void shouldReadALieOrNoneWhileLiesBeginAndEnd() throws Exception {
        LieFile file = new LieFile(directory);
        AtomicBoolean isOver = new AtomicBoolean();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Boolean> reader = threads.submit(() -> readUntil(isOver, file));
            try {
                for (int i = 0; i < LIES; i++) {
                    file.begin(Lie.MUTE);
                    file.end();
                }
            } finally {
                isOver.set(true);
            }

            assertThat(reader.get()).isTrue();
        }
    }

    /** Returns whether each lie was the one that begins. */
    private static boolean readUntil(AtomicBoolean isOver, LieFile file) throws IOException {
        boolean isRight = true;
        while (!isOver.get()) {
            isRight &= file.present().map(lie -> lie == Lie.MUTE).orElse(true);
        }
        return isRight;
    }
}
