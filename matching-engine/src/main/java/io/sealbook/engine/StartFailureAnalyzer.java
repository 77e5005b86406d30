package io.sealbook.engine;

import io.sealbook.vocabulary.OperatingFailureException;
import java.io.UncheckedIOException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Prints why an engine did not start: the innermost fact of ours, without the traces of the container around it. Other
 * failures keep their trace.
 */
final class StartFailureAnalyzer implements FailureAnalyzer {
    private static final String SETTING = "sealbook.engine: ";

    @Override
    public FailureAnalysis analyze(Throwable failure) {
        FailureAnalysis analysis = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String action = actionFor(cause);
            if (action != null) {
                analysis = new FailureAnalysis(fact(cause), action, failure);
            }
        }
        return analysis;
    }

    /** Returns what the operator can do about a cause; null if it is none of ours. */
    private static String actionFor(Throwable cause) {
        if (cause instanceof OperatingFailureException || cause instanceof UncheckedIOException) {
            return "Mend this and start the engine again. It goes on where its files end.";
        }
        if (cause instanceof IllegalArgumentException
                && cause.getMessage() != null
                && cause.getMessage().startsWith(SETTING)) {
            return "Correct engine.properties or the command line. The README of matching-engine lists all settings.";
        }
        return null;
    }

    private static String fact(Throwable cause) {
        Throwable origin = cause.getCause();
        return origin == null ? cause.getMessage() : cause.getMessage() + ": " + origin.getMessage();
    }
}
