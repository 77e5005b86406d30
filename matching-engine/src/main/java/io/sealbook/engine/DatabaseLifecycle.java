package io.sealbook.engine;

import io.sealbook.engine.persistence.DatabaseFollower;
import io.sealbook.spring.engine.EngineLifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Has the database follow the journal while the engine runs, up to the engine's last block. */
@Component
class DatabaseLifecycle implements SmartLifecycle {
    private final DatabaseFollower follower;
    private volatile boolean isRunning;

    DatabaseLifecycle(DatabaseFollower follower) {
        this.follower = follower;
    }

    @Override
    public void start() {
        follower.start();
        isRunning = true;
    }

    @Override
    public void stop() {
        follower.close();
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    /** As the engine: a paused context starts again, which the follower cannot. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    /** Starts before the engine, for which the follower waits, and stops after it. */
    @Override
    public int getPhase() {
        return EngineLifecycle.PHASE - 1;
    }
}
