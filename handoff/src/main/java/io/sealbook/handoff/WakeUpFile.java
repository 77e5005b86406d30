package io.sealbook.handoff;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file in a queue's directory by which its reader announces that it sleeps, and where its writer wakes it. Both
 * processes map it.
 *
 * <pre>
 *   offset  length  meaning
 *   0       4       1 while the reader sleeps or is about to, else 0; native byte order
 *   4       4       UDP port of the reader on the loopback address, 0 if it has none; native byte order
 *   8       8       0
 * </pre>
 *
 * Nothing in it is worth keeping: it may be copied, or deleted while neither process runs.
 */
final class WakeUpFile implements AutoCloseable {
    private static final String NAME = "wake-up";
    private static final int LENGTH = 16;
    private static final int ASLEEP_OFFSET = 0;
    private static final int PORT_OFFSET = 4;
    private static final int UNUSED_OFFSET = 8;
    private static final int PORT_MAX = 65_535;
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final FileChannel channel;
    private final MappedByteBuffer state;
    /** Of a datagram; nobody reads it. */
    private final ByteBuffer content = ByteBuffer.allocate(1);

    private DatagramChannel out;

    private WakeUpFile(FileChannel channel) throws IOException {
        this.channel = channel;
        if (channel.size() < LENGTH) {
            // Bytes, not a hole: a page of a mapped file that finds no room on the disk would end the process. Not
            // those
            // that mean something: the other process may open the file at this moment, and have written them.
            channel.write(ByteBuffer.allocate(LENGTH - UNUSED_OFFSET), UNUSED_OFFSET);
        }
        state = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
    }

    /**
     * Opens the file of a queue; it is created if it is absent.
     *
     * @param queue directory of the queue; created if it is absent
     * @throws HandOffException if it cannot be written
     */
    static WakeUpFile open(Path queue) {
        try {
            Files.createDirectories(queue);
            return map(queue);
        } catch (IOException e) {
            throw new HandOffException("queue: cannot open the wake-up file of " + queue + ": " + e.getMessage(), e);
        }
    }

    private static WakeUpFile map(Path queue) throws IOException {
        FileChannel channel = FileChannel.open(
                queue.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            return new WakeUpFile(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The reader looks into the queue after this; what is appended later than that look finds the announcement. */
    void announceSleep() {
        INT.setVolatile(state, ASLEEP_OFFSET, 1);
        VarHandle.fullFence();
    }

    void retractSleep() {
        INT.setVolatile(state, ASLEEP_OFFSET, 0);
    }

    /** Wakes the reader if it has announced that it sleeps, once per announcement. After the excerpt is appended. */
    void wake() throws IOException {
        VarHandle.fullFence();
        if ((int) INT.getVolatile(state, ASLEEP_OFFSET) != 0 && (int) INT.getAndSet(state, ASLEEP_OFFSET, 0) != 0) {
            send((int) INT.getVolatile(state, PORT_OFFSET));
        }
    }

    /** Never waits: a datagram for which there is no room is lost. */
    private void send(int port) throws IOException {
        if (port <= 0 || port > PORT_MAX) {
            return;
        }
        if (out == null) {
            out = DatagramChannel.open();
            out.configureBlocking(false);
        }
        out.send(content.clear(), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Publishes where the reader is woken; 0 if it is not. */
    void publishPort(int port) {
        INT.setVolatile(state, PORT_OFFSET, port);
    }

    @Override
    public void close() {
        try (channel) {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
