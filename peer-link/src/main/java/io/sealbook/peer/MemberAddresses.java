package io.sealbook.peer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of the members' host names. They decide which connection finds room, not which is trusted. Any thread;
 * names are looked up on a thread of their own, because the resolver blocks.
 */
final class MemberAddresses {
    private static final Logger LOG = LoggerFactory.getLogger(MemberAddresses.class);

    /** Who asks again sooner would only burden the resolver. */
    private static final long PAUSE_NS = 1_000_000_000L;

    private final Supplier<List<String>> hosts;
    private final AtomicBoolean isLookingUp = new AtomicBoolean();
    private volatile Set<InetAddress> addresses = Set.of();

    /** @param hosts returns names or addresses at present; nothing is looked up yet */
    MemberAddresses(Supplier<List<String>> hosts) {
        this.hosts = hosts;
    }

    /** Returns whether a member is known to have this address. */
    boolean contains(InetAddress address) {
        return addresses.contains(address);
    }

    /** Looks all names up again, at most once in a while. A name that is not found loses its addresses. */
    void lookUp() {
        if (isLookingUp.compareAndSet(false, true)) {
            Thread.ofVirtual().name("member-addresses").start(() -> {
                addresses = resolve();
                LockSupport.parkNanos(PAUSE_NS);
                isLookingUp.set(false);
            });
        }
    }

    private Set<InetAddress> resolve() {
        Set<InetAddress> found = new HashSet<>();
        for (String host : hosts.get()) {
            try {
                found.addAll(Arrays.asList(InetAddress.getAllByName(host)));
            } catch (UnknownHostException e) {
                LOG.debug("member host {} has no address: {}", host, e.getMessage());
            }
        }
        return Set.copyOf(found);
    }
}
