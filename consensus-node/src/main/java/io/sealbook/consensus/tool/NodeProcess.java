package io.sealbook.consensus.tool;

import io.sealbook.consensus.ConsensusNode;
import io.sealbook.node.port.StorageFailureException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that is one node, until a signal or a failure ends it. */
public final class NodeProcess {
    private static final Logger log = LoggerFactory.getLogger(NodeProcess.class);
    private static final int FAILED = 70;
    private static final int STORAGE_FAILED = 74;

    private NodeProcess() {}

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
     * Runs a node until SIGTERM or SIGINT closes it, or a failure ends the process.
     *
     * @throws IOException if it cannot be opened or started
     */
    public static void run(Opener opener) throws IOException, InterruptedException {
        ConsensusNode node = opener.open(NodeProcess::end);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            node.close();
                            stopped.countDown();
                        },
                        "stop"));
        node.start();
        stopped.await();
    }

    /** A zombie is worse than a dead node: no hook runs, and another thread that fails too says nothing any more. */
    private static synchronized void end(Throwable failure) {
        log.error("node ends: {}", failure.toString(), failure);
        System.out.println("FATAL " + failure);
        System.out.flush();
        Runtime.getRuntime().halt(failure instanceof StorageFailureException ? STORAGE_FAILED : FAILED);
    }
}
