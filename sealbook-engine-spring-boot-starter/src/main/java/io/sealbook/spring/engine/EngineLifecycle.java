package io.sealbook.spring.engine;

import io.sealbook.engine.matching.MatchingLoop;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.EngineSettings;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the engine's threads in order: the matching loop first, then the gRPC server; backwards at the end.
 * What follows from a failure of the engine is decided by {@link EngineEnd}.
 */
public final class EngineLifecycle implements SmartLifecycle {
    /**
     * Phase of the engine. It is before that of a web server, which is near the largest integer. A lifecycle in a lower
     * phase stops after the engine's last output.
     */
    public static final int PHASE = 0;

    private static final Logger log = LoggerFactory.getLogger(EngineLifecycle.class);

    private final EngineEnd end;
    private final EngineSettings settings;
    private final EngineMonitor monitor;
    private final MatchingLoop loop;
    private final Optional<EngineGrpcServer> grpcServer;
    private volatile Thread failureWatch;

    EngineLifecycle(
            EngineEnd end,
            EngineSettings settings,
            EngineMonitor monitor,
            MatchingLoop loop,
            Optional<EngineGrpcServer> grpcServer) {
        this.end = end;
        this.settings = settings;
        this.monitor = monitor;
        this.loop = loop;
        this.grpcServer = grpcServer;
    }

    @Override
    public void start() {
        failureWatch = Thread.ofPlatform().name("failure-watch").daemon().start(this::watch);
        loop.start();
        grpcServer.ifPresent(server -> {
            server.start();
            log.info("gRPC listens on {}:{}", settings.grpcAddress(), server.port());
        });
    }

    @Override
    public void stop() {
        grpcServer.ifPresent(EngineGrpcServer::close);
        try {
            loop.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        failureWatch.interrupt();
        failureWatch = null;
    }

    @Override
    public boolean isRunning() {
        return failureWatch != null;
    }

    /** A paused context starts again, which the threads of an engine cannot: they go on meanwhile. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private void watch() {
        try {
            monitor.awaitFailure();
        } catch (InterruptedException e) {
            return;
        }
        end.follow(monitor.failure().orElseThrow());
    }
}
