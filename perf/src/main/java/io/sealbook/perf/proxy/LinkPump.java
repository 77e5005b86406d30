package io.sealbook.perf.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Carries the bytes of one direction of a connection under the condition of its link: they leave the sender one after
 * another, and are under way for the link's delay. Two threads: {@link #read}, {@link #write}.
 */
final class LinkPump {
    /** What a connection may have under way; its sender waits for room. */
    private static final int BYTES_UNDER_WAY_MAX = 4 << 20;

    private static final int CHUNK_BYTES = 16 << 10;
    private static final long POLL_MS = 5;
    /** Shorter waits are not kept: a sleep takes longer. The next chunk leaves later for it. */
    private static final long WAIT_MIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int THOUSAND = 1_000;

    private record Chunk(byte[] bytes, long dueNs) {}

    private static final Chunk END = new Chunk(new byte[0], 0);

    private final InputStream source;
    private final OutputStream sink;
    private final Link link;
    private final Bandwidth bandwidth = new Bandwidth();
    private final BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(BYTES_UNDER_WAY_MAX);

    /**
     * @param source of the bytes
     * @param sink takes them
     * @param link under whose condition they are
     */
    LinkPump(InputStream source, OutputStream sink, Link link) {
        this.source = source;
        this.sink = sink;
        this.link = link;
    }

    /**
     * Reads until the source ends.
     *
     * @throws IOException if the connection failed or was cut by its link
     */
    void read() throws IOException, InterruptedException {
        byte[] buffer = new byte[CHUNK_BYTES];
        for (int length = source.read(buffer); length >= 0; length = source.read(buffer)) {
            LinkCondition now = link.condition();
            if (ThreadLocalRandom.current().nextInt(THOUSAND) < now.cutsPerThousand()) {
                throw new IOException("cut");
            }
            room.acquire(length);
            long readNs = System.nanoTime();
            long leftNs = Math.max(bandwidth.leave(length, now.bytesPerSecond(), readNs), link.leave(length, readNs));
            sleepUntil(leftNs);
            underWay.put(
                    new Chunk(Arrays.copyOf(buffer, length), leftNs + TimeUnit.MILLISECONDS.toNanos(now.delayMs())));
        }
        underWay.put(END);
    }

    /**
     * Writes what was read until the end of the source.
     *
     * @throws IOException if the connection failed or was cut by its link
     */
    void write() throws IOException, InterruptedException {
        for (Chunk chunk = underWay.take(); chunk != END; chunk = underWay.take()) {
            sleepUntil(chunk.dueNs);
            while (link.condition().isHeld()) {
                Thread.sleep(POLL_MS);
            }
            sink.write(chunk.bytes);
            room.release(chunk.bytes.length);
        }
    }

    private static void sleepUntil(long dueNs) throws InterruptedException {
        long waitNs = dueNs - System.nanoTime();
        if (waitNs >= WAIT_MIN_NS) {
            TimeUnit.NANOSECONDS.sleep(waitNs);
        }
    }
}
