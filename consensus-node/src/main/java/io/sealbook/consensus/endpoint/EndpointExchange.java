package io.sealbook.consensus.endpoint;

import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Node;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exchanges signed addresses with the gateways of the other nodes: with all of them after the start and after each
 * change, else with one after the other, at each address that it may have. A node that has moved reaches the others
 * where they are; they reach it from then on. One thread of its own.
 */
public final class EndpointExchange implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndpointExchange.class);
    private static final long TURN_MS = 10_000;
    /** Between two exchanges with all nodes: a flood of changes costs the network no more. */
    private static final long PAUSE_MS = 500;

    private static final long CALL_TIMEOUT_MS = 3_000;
    private static final int NO_NODE = -1;
    private static final long CLOSE_WAIT_MS = 5_000;

    private final int nodeId;
    private final boolean mayPublish;
    private final NodeEndpoints endpoints;
    private final MemberGateway.Access access;
    private final Thread thread;
    private final Semaphore news = new Semaphore(1);
    private int turn;
    private volatile boolean isClosed;

    /**
     * @param nodeId of this node in the present epoch
     * @param endpoints what is exchanged
     * @param access what gateways are called with
     */
    public EndpointExchange(int nodeId, NodeEndpoints endpoints, MemberGateway.Access access) {
        this(nodeId, true, endpoints, access);
    }

    private EndpointExchange(int nodeId, boolean mayPublish, NodeEndpoints endpoints, MemberGateway.Access access) {
        this.nodeId = nodeId;
        this.mayPublish = mayPublish;
        this.endpoints = endpoints;
        this.access = access;
        this.thread = new Thread(this::run, mayPublish ? "endpoints-" + nodeId : "endpoints");
        thread.setDaemon(true);
        endpoints.onNews(news::release);
    }

    /**
     * Returns one that reads only, for a process that is no node. It asks all nodes in each turn: no node comes to it
     * with news.
     *
     * @param endpoints what is kept up to date
     * @param access what gateways are called with
     */
    public static EndpointExchange ofReader(NodeEndpoints endpoints, MemberGateway.Access access) {
        return new EndpointExchange(NO_NODE, false, endpoints, access);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!isClosed) {
                endpoints.saveNews();
                if (news.tryAcquire(TURN_MS, TimeUnit.MILLISECONDS)) {
                    news.drainPermits();
                    exchange(others());
                    Thread.sleep(PAUSE_MS);
                } else {
                    exchange(mayPublish ? nextInTurn() : others());
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
        // An interrupted thread cannot write a file.
        Thread.interrupted();
        endpoints.saveNews();
    }

    private List<Node> others() {
        return endpoints.partners().stream()
                .filter(node -> node.getNodeId() != nodeId)
                .toList();
    }

    private List<Node> nextInTurn() {
        List<Node> others = others();
        return others.isEmpty() ? others : List.of(others.get(turn++ % others.size()));
    }

    private void exchange(List<Node> partners) {
        List<EndpointRecord> own = endpoints.news();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            partners.forEach(partner -> calls.execute(() -> exchange(partner, own)));
        }
    }

    private void exchange(Node partner, List<EndpointRecord> own) {
        try (MemberGateway gateway = new MemberGateway(MemberGateway.address(partner), access, CALL_TIMEOUT_MS)) {
            endpoints.take(own.isEmpty() || !mayPublish ? gateway.endpoints() : gateway.publish(own));
        } catch (StatusRuntimeException e) {
            log.debug("no addresses exchanged with node {}: {}", partner.getNodeId(), e.getMessage());
        }
    }

    /** Ends the exchange; calls under way are given up. */
    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
        try {
            thread.join(CLOSE_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
