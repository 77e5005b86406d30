package io.sealbook.perf.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection from a dialer through the proxy to a member. It ends as a whole. */
final class ProxiedConnection {
    /** Of the peers' HELLO: {@code peer-link/doc/peer-protocol.md} section 1. */
    private static final int HELLO_PREFIX = 12;

    private static final int HELLO_NODE_ID = 10;
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int CLIENT = -1;

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private final Socket dialer;
    private final Socket member = new Socket();
    private final InetSocketAddress address;
    private final int memberId;
    private final LinkTable links;
    private final Runnable onClosed;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile int dialerId = CLIENT;

    /**
     * @param dialer accepted socket; owned from now on
     * @param address of the member
     * @param memberId whose port it is
     * @param links between members
     * @param onClosed runs once, when the connection has ended
     */
    ProxiedConnection(Socket dialer, InetSocketAddress address, int memberId, LinkTable links, Runnable onClosed) {
        this.dialer = dialer;
        this.address = address;
        this.memberId = memberId;
        this.links = links;
        this.onClosed = onClosed;
    }

    /** Connects and carries bytes in threads of its own; {@code isPeerPort}: the dialer's first bytes name it. */
    void start(boolean isPeerPort) {
        run(() -> {
            dialer.setTcpNoDelay(true);
            byte[] hello = isPeerPort ? dialer.getInputStream().readNBytes(HELLO_PREFIX) : new byte[0];
            if (hello.length == HELLO_PREFIX) {
                dialerId = ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).getShort(HELLO_NODE_ID);
            }
            if (isCut()) {
                close();
                return;
            }
            member.setTcpNoDelay(true);
            member.connect(address, CONNECT_TIMEOUT_MS);
            while (links.get(dialerId, memberId).isHeld()) {
                Thread.sleep(5);
            }
            member.getOutputStream().write(hello);
            LinkPump to = pump(dialer, dialerId, member, memberId);
            LinkPump back = pump(member, memberId, dialer, dialerId);
            run(to::read);
            run(back::read);
            run(() -> writeToEnd(to));
            run(() -> writeToEnd(back));
        });
    }

    private LinkPump pump(Socket from, int fromId, Socket to, int toId) throws IOException {
        return new LinkPump(from.getInputStream(), to.getOutputStream(), new Link(links, fromId, toId));
    }

    private void writeToEnd(LinkPump pump) throws IOException, InterruptedException {
        pump.write();
        close();
    }

    /** Returns whether a direction of its link is cut now. */
    boolean isCut() {
        return links.get(dialerId, memberId).isCut()
                || links.get(memberId, dialerId).isCut();
    }

    private void run(Work work) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                work.run();
            } catch (IOException e) {
                close();
            } catch (InterruptedException e) {
                close();
            }
        });
        threads.add(thread);
        thread.start();
    }

    void close() {
        if (isClosed.compareAndSet(false, true)) {
            quietly(dialer);
            quietly(member);
            // A pump may wait for room that no other pump makes any more.
            threads.forEach(Thread::interrupt);
            onClosed.run();
        }
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }
}
