package io.sealbook.consensus;

import io.sealbook.consensus.peers.FormerNodeException;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node over the epochs of its chain. Where an epoch ends, and where an engine inside must be rebuilt, the node is
 * closed and opened again from its files, as after a restart of its process.
 *
 * <pre>
 *   open ─▶ start ─▶ its epoch ends ─▶ close ─┐        close ends it in any state
 *    ▲                                        │
 *    └────────────────────────────────────────┘
 * </pre>
 */
public final class NodeRun implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeRun.class);

    private final Opener opener;
    private final Consumer<Throwable> fatal;
    private final CompletableFuture<StableCertificate> closed = new CompletableFuture<>();
    private volatile ConsensusNode node;

    /** Opens a node. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the node; nothing of it runs yet.
         *
         * @param fatal receives a failure after which the process must end
         * @throws IOException if its files cannot be read
         */
        ConsensusNode open(Consumer<Throwable> fatal) throws IOException;
    }

    /**
     * Opens the node for its first epoch here; starts nothing.
     *
     * @param opener called once for each epoch and rebuild
     * @param fatal receives a failure after which the process must end
     * @throws IOException if its files cannot be read
     */
    public NodeRun(Opener opener, Consumer<Throwable> fatal) throws IOException {
        this.opener = opener;
        this.fatal = fatal;
        node = openFirst();
    }

    private ConsensusNode openFirst() throws IOException {
        try {
            return opener.open(fatal);
        } catch (FormerNodeException former) {
            try {
                former.farewell().run(closed);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw former;
        }
    }

    /** Returns the node of the present epoch; a closed one between two. Any thread. */
    public ConsensusNode node() {
        return node;
    }

    /**
     * Starts the node.
     *
     * @throws IOException if a port cannot be bound
     */
    public void start() throws IOException {
        node.start();
    }

    /**
     * Goes with the started node from epoch to epoch until {@link #close}.
     *
     * @throws IOException if it cannot be opened or started again
     */
    public void run() throws IOException, InterruptedException {
        while (awaitEnd()) {
            int ended = node.epoch();
            String cause = cause();
            long startNs = System.nanoTime();
            node.close();
            try {
                if (!openNext()) {
                    return;
                }
            } catch (FormerNodeException former) {
                former.farewell().run(closed);
                throw former;
            }
            node.start();
            log.info(
                    "{}: epoch {} follows epoch {} after {} ms",
                    cause,
                    node.epoch(),
                    ended,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
        }
    }

    /** Returns whether the epoch has ended; false if the run has. */
    private boolean awaitEnd() throws InterruptedException {
        try {
            CompletableFuture.anyOf(closed, node.epochEnd(), node.engineRebuild())
                    .get();
        } catch (ExecutionException e) {
            throw new BrokenInvariantException("the end of an epoch failed: " + e);
        }
        if (closed.isDone()) {
            return false;
        }
        log.info("{}", cause());
        return true;
    }

    private String cause() {
        return node.epochEnd().isDone()
                ? "epoch " + node.epoch() + " ends with block "
                        + node.epochEnd().join().sequence()
                : "the engine inside is rebuilt";
    }

    /** Returns false if the run was closed meanwhile. */
    private synchronized boolean openNext() throws IOException {
        if (closed.isDone()) {
            return false;
        }
        node = opener.open(fatal);
        return true;
    }

    /** Closes the node; waits for one that is being opened. A second call does nothing. Any thread. */
    @Override
    public void close() {
        closed.complete(null);
        synchronized (this) {
            node.close();
        }
    }
}
