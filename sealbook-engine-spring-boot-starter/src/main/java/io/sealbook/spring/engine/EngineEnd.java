package io.sealbook.spring.engine;

import io.sealbook.engine.rebuild.EngineRebuildException;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
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
    /** Exit code after a broken invariant or a wrong result, EX_SOFTWARE of sysexits.h. */
    private static final int EXIT_FAILED = 70;
    /** Exit code after an operating failure, a full disk for one, EX_IOERR of sysexits.h. */
    private static final int EXIT_OPERATING_FAILURE = 74;

    /** As a node's: the chain goes on under rules that this build does not follow. */
    private static final int EXIT_UNKNOWN_PROTOCOL_VERSION = 76;

    /** Returns with which exit code a failure ends the process. */
    static int exitCode(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownProtocolVersionException) {
                return EXIT_UNKNOWN_PROTOCOL_VERSION;
            }
            if (cause instanceof EngineRebuildException) {
                return EXIT_FAILED;
            }
        }
        return OperatingFailureException.isBehind(failure, IOException.class) ? EXIT_OPERATING_FAILURE : EXIT_FAILED;
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
