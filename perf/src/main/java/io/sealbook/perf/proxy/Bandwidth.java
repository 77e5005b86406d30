package io.sealbook.perf.proxy;

import java.util.concurrent.TimeUnit;

/** When bytes that share a sender have left it. Any thread. */
final class Bandwidth {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private boolean isBusy;
    private long freeNs;

    /**
     * Has bytes leave after all earlier ones.
     *
     * @param byteCount how many
     * @param bytesPerSecond at which they leave; 0 is no limit
     * @param nowNs of {@link System#nanoTime}
     * @return when the last of them has left, of the same clock
     */
    synchronized long leave(int byteCount, long bytesPerSecond, long nowNs) {
        if (bytesPerSecond == 0) {
            return nowNs;
        }
        long beginNs = isBusy && freeNs - nowNs > 0 ? freeNs : nowNs;
        isBusy = true;
        freeNs = beginNs + byteCount * NANOS_PER_SECOND / bytesPerSecond;
        return freeNs;
    }
}
