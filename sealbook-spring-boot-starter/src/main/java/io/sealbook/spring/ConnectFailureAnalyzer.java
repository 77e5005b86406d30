package io.sealbook.spring;

import io.sealbook.client.ConnectFailedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says at which step each endpoint failed, in place of a stack trace. */
final class ConnectFailureAnalyzer extends AbstractFailureAnalyzer<ConnectFailedException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ConnectFailedException cause) {
        return new FailureAnalysis(
                "The broker's client could not connect: " + cause.getMessage(),
                "Check addresses and keys, or set sealbook.enabled=false to start without it.",
                cause);
    }
}
