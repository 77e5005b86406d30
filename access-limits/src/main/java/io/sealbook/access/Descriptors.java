package io.sealbook.access;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many descriptors the connections of each port may hold, so that a process can always open its files: archive
 * segments, logs, queues, snapshots. The ports share what {@link #FILES} leave; none can take the part of another one,
 * whoever connects.
 */
public final class Descriptors {
    /**
     * For files, event loops, libraries, and the connections that the process opens itself. A node holds about 50 of
     * them, an engine about 160 and 32 of older reports, a replica their sum.
     */
    public static final int FILES = 320;

    /** What a port gets where the process may open hardly anything. */
    static final int SOCKETS_MIN = 16;

    private static final int PARTS = 32;

    /** A port, with the parts of the sockets that are its own; all parts are {@value #PARTS}. */
    public enum Port {
        GATEWAY(16),
        ENGINE_GRPC(4),
        ENGINE_HTTP(4),
        ADMIN(2),
        VOTES(3),
        PAYLOADS(3);

        private final int parts;

        Port(int parts) {
            this.parts = parts;
        }
    }

    private Descriptors() {}

    /** Returns the limit of this process; a large number if the system reports none. */
    public static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Integer.MAX_VALUE;
    }

    /** Returns how many sockets a port of this process may hold. */
    public static int sockets(Port port) {
        return sockets(port, limit());
    }

    /**
     * Returns how many sockets a port may hold.
     *
     * @param port which one
     * @param limit descriptors that the process may open
     */
    static int sockets(Port port, long limit) {
        long share = Math.max(0, limit - FILES) * port.parts / PARTS;
        return (int) Math.min(Integer.MAX_VALUE, Math.max(SOCKETS_MIN, share));
    }
}
