package io.sealbook.chaos.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Carries the bytes of one direction of a connection under the condition of its link. Two threads: {@link #read},
 * {@link #write}.
 */
final class LinkPump {
    /** What a connection may have under way: with 16 KiB each about a megabyte. */
    private static final int CHUNKS_MAX = 64;

    private static final int CHUNK_BYTES = 16 << 10;
    private static final long POLL_MS = 5;
    private static final int THOUSAND = 1_000;

    private record Chunk(byte[] bytes, int length, long dueNs) {}

    private static final Chunk END = new Chunk(new byte[0], 0, 0);

    private final InputStream source;
    private final OutputStream sink;
    private final Supplier<LinkCondition> condition;
    private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(CHUNKS_MAX);

    /**
     * @param source of the bytes
     * @param sink takes them
     * @param condition of the link now
     */
    LinkPump(InputStream source, OutputStream sink, Supplier<LinkCondition> condition) {
        this.source = source;
        this.sink = sink;
        this.condition = condition;
    }

    /**
     * Reads until the source ends.
     *
     * @throws IOException if the connection failed or was cut by its link
     */
    void read() throws IOException, InterruptedException {
        while (true) {
            byte[] bytes = new byte[CHUNK_BYTES];
            int length = source.read(bytes);
            if (length < 0) {
                chunks.put(END);
                return;
            }
            LinkCondition now = condition.get();
            if (ThreadLocalRandom.current().nextInt(THOUSAND) < now.cutsPerThousand()) {
                throw new IOException("cut");
            }
            chunks.put(new Chunk(bytes, length, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(now.delayMs())));
        }
    }

    /**
     * Writes what was read until the end of the source.
     *
     * @throws IOException if the connection failed or was cut by its link
     */
    void write() throws IOException, InterruptedException {
        for (Chunk chunk = chunks.take(); chunk != END; chunk = chunks.take()) {
            long waitNs = chunk.dueNs - System.nanoTime();
            if (waitNs > 0) {
                TimeUnit.NANOSECONDS.sleep(waitNs);
            }
            LinkCondition now = condition.get();
            while (now.isHeld()) {
                Thread.sleep(POLL_MS);
                now = condition.get();
            }
            if (now.bytesPerSecond() > 0) {
                TimeUnit.NANOSECONDS.sleep(chunk.length * TimeUnit.SECONDS.toNanos(1) / now.bytesPerSecond());
            }
            sink.write(chunk.bytes, 0, chunk.length);
        }
    }
}
