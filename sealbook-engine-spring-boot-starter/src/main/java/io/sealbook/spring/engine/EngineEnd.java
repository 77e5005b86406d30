package io.sealbook.spring.engine;

import io.sealbook.engine.rebuild.EngineRebuildException;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;

/**
 * What follows when the engine has ended by itself.
 *
 * @param exitsProcess whether the process ends with exit code 70
 * @param events take an {@link EngineFailedEvent}
 * @param restart runs the application again for a rebuild of the engine; empty if it cannot
 */
record EngineEnd(boolean exitsProcess, ApplicationEventPublisher events, Optional<EngineRestart> restart) {
    /** Exit code after a broken invariant or an operating failure, EX_SOFTWARE of sysexits.h. */
    static final int EXIT_FAILED = 70;

    void follow(Throwable failure) {
        if (failure instanceof EngineRebuildException && restart.isPresent()) {
            restart.get().request(failure.getMessage());
            return;
        }
        try {
            events.publishEvent(new EngineFailedEvent(failure));
        } finally {
            if (exitsProcess) {
                System.exit(EXIT_FAILED);
            }
        }
    }
}
