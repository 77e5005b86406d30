package io.sealbook.peer.messagelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class MessageLogTest {
    private static final int SLOT_ROOM = 128 - MessageLog.SLOT_HEADER_LENGTH;
    private static final int OVERFLOW_BYTES_MAX = 4_000;

    @Test
    void shouldBehaveLikeAMapForAnySeed() {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            MessageLog log = new MessageLog(new MessageLogConfig(16, 128, OVERFLOW_BYTES_MAX, seed));
            Map<Identity, Long> model = new HashMap<>();
            Map<Long, byte[]> contents = new HashMap<>();
            long overflowBytes = 0;
            for (int step = 0; step < 5_000; step++) {
                if (random.nextInt(5) < 3) {
                    MessageKey key = new MessageKey(1 + random.nextInt(2), random.nextInt(2), random.nextInt(40), 3);
                    byte[] digest = new byte[32];
                    digest[0] = (byte) random.nextInt(2);
                    byte[] message = new byte[random.nextInt(SLOT_ROOM + 40)];
                    random.nextBytes(message);
                    int overflowBefore = log.overflowCount();

                    long handle = store(log, key, digest, message);

                    Identity identity = new Identity(key, digest[0]);
                    if (model.containsKey(identity)) {
                        assertThat(handle).isEqualTo(MessageLog.DUPLICATE);
                    } else if (handle == MessageLog.REFUSED) {
                        assertThat(overflowBytes + message.length).isGreaterThan(OVERFLOW_BYTES_MAX);
                    } else {
                        assertThat(handle).isNotNegative();
                        assertThat(contents).doesNotContainKey(handle);
                        model.put(identity, handle);
                        contents.put(handle, message);
                        overflowBytes += log.overflowCount() > overflowBefore ? message.length : 0;
                    }
                } else if (!model.isEmpty()) {
                    List<Identity> waiting = new ArrayList<>(model.keySet());
                    Identity identity = waiting.get(random.nextInt(waiting.size()));
                    long handle = model.remove(identity);
                    byte[] content = contents.remove(handle);
                    int overflowBefore = log.overflowCount();

                    assertThat(read(log, handle)).isEqualTo(new Stored(identity.key, boxed(content)));
                    log.release(handle);
                    overflowBytes -= log.overflowCount() < overflowBefore ? content.length : 0;
                }
                assertThat(log.occupiedCount() + log.overflowCount()).isEqualTo(model.size());
            }
            assertThat(log.overflowTotal())
                    .as("seed %d must meet full buckets", seed)
                    .isPositive();
        }
    }

    @Test
    void shouldKeepFourOfABucketInSlotsAndTheFifthOnTheHeap() {
        MessageLog log = new MessageLog(new MessageLogConfig(16, 128, 100, 0));
        byte[] message = new byte[SLOT_ROOM];
        int stored = 0;
        while (log.overflowCount() == 0) {
            store(log, new MessageKey(1, 0, stored++, 0), new byte[32], message);
        }

        assertThat(log.occupiedCount()).isEqualTo(stored - 1).isBetween(MessageLog.SLOTS_PER_BUCKET, log.slotCount());
        assertThat(log.overflowTotal()).isOne();
    }

    @Test
    void shouldSendWideMessagesToTheHeapUpToItsBound() {
        MessageLog log = new MessageLog(new MessageLogConfig(16, 128, 2 * (SLOT_ROOM + 1), 0));
        byte[] wide = new byte[SLOT_ROOM + 1];

        long first = store(log, new MessageKey(6, 1, 0, 0), new byte[32], wide);
        long second = store(log, new MessageKey(6, 1, 0, 1), new byte[32], wide);
        long third = store(log, new MessageKey(6, 1, 0, 2), new byte[32], wide);

        assertThat(log.overflowCount()).isEqualTo(2);
        assertThat(third).isEqualTo(MessageLog.REFUSED);
        log.release(first);
        assertThat(store(log, new MessageKey(6, 1, 0, 2), new byte[32], wide)).isGreaterThan(second);
    }

    @Test
    void shouldForgetADuplicateOnceReleased() {
        MessageLog log = new MessageLog(MessageLogConfig.defaults(0));
        MessageKey key = new MessageKey(2, 1, 9, 3);

        long handle = store(log, key, new byte[32], new byte[10]);

        assertThat(store(log, key, new byte[32], new byte[10])).isEqualTo(MessageLog.DUPLICATE);
        log.release(handle);
        assertThat(store(log, key, new byte[32], new byte[10])).isEqualTo(handle);
    }

    @Test
    void shouldRefuseHandlesThatAreNotHeld() {
        MessageLog log = new MessageLog(MessageLogConfig.defaults(0));
        long handle = store(log, new MessageKey(2, 1, 9, 3), new byte[32], new byte[10]);
        log.release(handle);

        assertThatExceptionOfType(BrokenInvariantException.class).isThrownBy(() -> log.release(handle));
        assertThatExceptionOfType(BrokenInvariantException.class).isThrownBy(() -> log.release(1L << 62));
        assertThatIllegalArgumentException().isThrownBy(() -> log.release(log.slotCount()));
        assertThatIllegalArgumentException().isThrownBy(() -> log.release(MessageLog.DUPLICATE));
    }

    @Test
    void shouldPassMessagesBetweenTwoThreads() throws InterruptedException {
        MessageLog log = new MessageLog(new MessageLogConfig(64, 128, 1 << 20, 1));
        int count = 20_000;
        ArrayBlockingQueue<Long> handles = new ArrayBlockingQueue<>(128);
        Thread producer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < count; i++) {
                byte[] message = new byte[8];
                new UnsafeBuffer(message).putLong(0, i);
                try {
                    handles.put(store(log, new MessageKey(1, 0, i, 0), new byte[32], message));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });

        for (int i = 0; i < count; i++) {
            long expected = i;
            long handle = handles.take();
            log.read(handle, (key, buffer, offset, length) -> {
                assertThat(key.sequence()).isEqualTo(expected);
                assertThat(buffer.getLong(offset)).isEqualTo(expected);
            });
            log.release(handle);
        }
        producer.join();
        assertThat(log.occupiedCount()).isZero();
        assertThat(log.overflowCount()).isZero();
    }

    private static long store(MessageLog log, MessageKey key, byte[] digest, byte[] message) {
        return log.store(key, new UnsafeBuffer(digest), 0, new UnsafeBuffer(message), 0, message.length);
    }

    private static Stored read(MessageLog log, long handle) {
        List<Stored> read = new ArrayList<>();
        log.read(handle, (key, buffer, offset, length) -> {
            byte[] content = new byte[length];
            buffer.getBytes(offset, content);
            read.add(new Stored(key, boxed(content)));
        });
        return read.get(0);
    }

    private static List<Byte> boxed(byte[] bytes) {
        List<Byte> boxed = new ArrayList<>();
        for (byte value : bytes) {
            boxed.add(value);
        }
        return boxed;
    }

    private record Identity(MessageKey key, byte digest) {}

    private record Stored(MessageKey key, List<Byte> content) {}
}
