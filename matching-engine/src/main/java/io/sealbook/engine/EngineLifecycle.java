package io.sealbook.engine;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.persistence.DatabaseFollower;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.EngineSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Starts and stops the engine's threads in order: the matching loop first, then the gRPC server and the database;
 * backwards at the end. A failure of the engine ends the process unless the settings say otherwise.
 */
@Component
class EngineLifecycle implements SmartLifecycle {
    /** Exit code after a broken invariant or an operating failure, EX_SOFTWARE of sysexits.h. */
    static final int EXIT_FAILED = 70;

    private static final Logger log = LoggerFactory.getLogger(EngineLifecycle.class);
    /** Before the web server, whose phase is near the largest integer. */
    private static final int PHASE = 0;

    private final EngineProperties properties;
    private final EngineSettings settings;
    private final EngineMonitor monitor;
    private final MatchingLoop loop;
    private final EngineGrpcServer grpcServer;
    private final DatabaseFollower database;
    private volatile boolean isRunning;

    EngineLifecycle(
            EngineProperties properties,
            EngineSettings settings,
            EngineMonitor monitor,
            MatchingLoop loop,
            EngineGrpcServer grpcServer,
            DatabaseFollower database) {
        this.properties = properties;
        this.settings = settings;
        this.monitor = monitor;
        this.loop = loop;
        this.grpcServer = grpcServer;
        this.database = database;
    }

    @Override
    public void start() {
        if (properties.exitOnFailure()) {
            Thread.ofPlatform().name("failure-watch").daemon().start(this::exitOnFailure);
        }
        loop.start();
        grpcServer.start();
        log.info("gRPC listens on {}:{}", settings.grpcAddress(), grpcServer.port());
        database.start();
        isRunning = true;
    }

    @Override
    public void stop() {
        grpcServer.close();
        try {
            loop.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        database.close();
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private void exitOnFailure() {
        try {
            monitor.awaitFailure();
            System.exit(EXIT_FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
