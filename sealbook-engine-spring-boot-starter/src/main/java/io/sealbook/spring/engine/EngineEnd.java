package io.sealbook.spring.engine;

import io.sealbook.engine.rebuild.EngineRebuildException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;

/**
 * What follows when the engine has ended by itself.
 *
 * @param exitsProcess whether the process ends, with {@link #exitCode}
 * @param events take an {@link EngineFailedEvent}
 * @param restart runs the application again for a rebuild of the engine; empty if it cannot
 */
record EngineEnd(boolean exitsProcess, ApplicationEventPublisher events, Optional<EngineRestart> restart) {
    /** Exit code after a broken invariant, EX_SOFTWARE of sysexits.h. */
    private static final int EXIT_FAILED = 70;
    /** Exit code after an operating failure, a full disk for one, EX_IOERR of sysexits.h. */
    private static final int EXIT_OPERATING_FAILURE = 74;

    /** Returns with which exit code a failure ends the process. */
    static int exitCode(Throwable failure) {
        return OperatingFailureException.isBehind(failure) ? EXIT_OPERATING_FAILURE : EXIT_FAILED;
    }

    void follow(Throwable failure) {
        if (failure instanceof EngineRebuildException && restart.isPresent()) {
            restart.get().request(failure.getMessage());
            return;
        }
        try {
            events.publishEvent(new EngineFailedEvent(failure));
        } finally {
            if (exitsProcess) {
                System.exit(exitCode(failure));
            }
        }
    }
}
