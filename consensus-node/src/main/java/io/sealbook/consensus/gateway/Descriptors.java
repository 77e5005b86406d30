package io.sealbook.consensus.gateway;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** How many files and sockets this process may open, and how many of them brokers may have. */
final class Descriptors {
    /** For archive, logs, queues, the ports of peers and operators, and libraries. */
    static final int RESERVED = 768;

    /** What brokers get where the process may open hardly anything. */
    static final int CONNECTIONS_MIN = 64;

    private Descriptors() {}

    /** Returns the limit of this process; a large number if the system reports none. */
    static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Integer.MAX_VALUE;
    }

    /**
     * Returns how many connections leave enough for everything else.
     *
     * @param wantedMax what the operator allows
     * @param limit descriptors that the process may open
     */
    static int connectionsMax(int wantedMax, long limit) {
        return (int) Math.min(wantedMax, Math.max(CONNECTIONS_MIN, limit - RESERVED));
    }
}
