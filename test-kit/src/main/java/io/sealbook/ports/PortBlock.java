package io.sealbook.ports;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Neighbouring ports of 127.0.0.1 that no other test of this machine takes until it is closed or this process ends.
 *
 * <p>They lie below the range from which operating systems take ports for outgoing connections, were free when the
 * block was taken, and are leased by a lock on a file in the temporary folder. Any thread.
 */
public final class PortBlock implements AutoCloseable {
    /** Largest number of ports in a block: ten for each of thirteen nodes. */
    public static final int PORTS_MAX = 130;

    private static final int FIRST = 20_000;
    /** Linux takes ports for outgoing connections from 32768 on. */
    private static final int END = 32_700;

    static final int BLOCKS = (END - FIRST) / PORTS_MAX;
    /**
     * This process's blocks by their first port. A file is never opened while its block is here: closing it again would
     * give up the lock, which POSIX counts per process.
     */
    private static final Map<Integer, PortBlock> TAKEN = new HashMap<>();

    private final int base;
    private final FileChannel file;

    private PortBlock(int base, FileChannel file) {
        this.base = base;
        this.file = file;
    }

    /**
     * Takes a block.
     *
     * @param count number of ports, 1 to {@link #PORTS_MAX}
     * @throws IOException if no block is free
     */
    public static PortBlock take(int count) throws IOException {
        return take(count, (int) (ProcessHandle.current().pid() % BLOCKS));
    }

    /**
     * Takes the first free block from a given one on.
     *
     * @param count number of ports, 1 to {@link #PORTS_MAX}
     * @param start index of the block that is tried first
     */
    static PortBlock take(int count, int start) throws IOException {
        if (count < 1 || count > PORTS_MAX) {
            throw new IllegalArgumentException("a block has 1 to " + PORTS_MAX + " ports, not " + count);
        }
        Path folder =
                Path.of(System.getProperty("java.io.tmpdir"), "sealbook-ports-" + System.getProperty("user.name"));
        Files.createDirectories(folder);
        synchronized (TAKEN) {
            for (int i = 0; i < BLOCKS; i++) {
                int base = FIRST + (start + i) % BLOCKS * PORTS_MAX;
                FileChannel file = TAKEN.containsKey(base) ? null : lease(folder.resolve(Integer.toString(base)));
                if (file != null && areFree(base, count)) {
                    PortBlock block = new PortBlock(base, file);
                    TAKEN.put(base, block);
                    return block;
                }
                if (file != null) {
                    file.close();
                }
            }
        }
        throw new IOException("no " + count + " free ports in a row between " + FIRST + " and " + END);
    }

    /** Returns the first port; the others follow it. */
    public int base() {
        return base;
    }

    /** Gives the ports back to other tests. A process that still listens on one of them keeps it from being taken. */
    @Override
    public void close() throws IOException {
        synchronized (TAKEN) {
            if (TAKEN.remove(base, this)) {
                file.close();
            }
        }
    }

    /** Returns the file whose lock is the lease; null if another process has it. */
    private static FileChannel lease(Path path) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (file.tryLock() == null) {
            file.close();
            return null;
        }
        return file;
    }

    private static boolean areFree(int base, int count) {
        for (int port = base; port < base + count; port++) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
