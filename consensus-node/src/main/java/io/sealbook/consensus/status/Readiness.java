package io.sealbook.consensus.status;

/**
 * Whether a node can serve.
 *
 * @param reason empty when it is ready
 */
public record Readiness(boolean isReady, String reason) {}
