package io.sealbook.consensus.tool;

import io.sealbook.consensus.NodeRun;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.node.port.StorageFailureException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that is one node, until a signal or a failure ends it. */
public final class NodeProcess {
    private static final Logger log = LoggerFactory.getLogger(NodeProcess.class);
    private static final int FAILED = 70;
    static final int STORAGE_FAILED = 74;

    private NodeProcess() {}

    /**
     * Runs a node until SIGTERM or SIGINT closes it, or a failure ends the process.
     *
     * @param opener called once for each epoch of the chain
     * @throws IOException if it cannot be opened or started
     */
    public static void run(NodeRun.Opener opener) throws IOException, InterruptedException {
        NodeRun run = new NodeRun(opener, NodeProcess::end);
        Runtime.getRuntime().addShutdownHook(new Thread(run::close, "stop"));
        run.start();
        run.run();
    }

    /** A zombie is worse than a dead node: no hook runs, and another thread that fails too says nothing any more. */
    private static synchronized void end(Throwable failure) {
        log.error("node ends: {}", failure.toString(), failure);
        System.out.println("FATAL " + failure);
        System.out.flush();
        Runtime.getRuntime().halt(exitCode(failure));
    }

    static int exitCode(Throwable failure) {
        return switch (failure) {
            case StorageFailureException storage -> STORAGE_FAILED;
            case UnknownProtocolVersionException newer -> StartCommand.UNKNOWN_PROTOCOL_VERSION;
            default -> FAILED;
        };
    }
}
