package io.sealbook.spring.engine;

/**
 * Closes the application and runs it again, in the same process. An application that has such a bean restarts by itself
 * when its engine has to build its state again, because its result was not that of the others. Without it the engine
 * fails, and the next start of the application does the same.
 */
@FunctionalInterface
public interface EngineRestart {
    /**
     * Requests the restart, and returns before it begins.
     *
     * @param reason why
     */
    void request(String reason);
}
