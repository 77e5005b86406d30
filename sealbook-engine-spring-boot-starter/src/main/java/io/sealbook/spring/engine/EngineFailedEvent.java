package io.sealbook.spring.engine;

/**
 * An engine executes no more blocks, because an invariant broke, a file could not be written or a consumer of its
 * outputs failed. The engine goes on after a restart of the application.
 *
 * @param failure what ended it
 */
public record EngineFailedEvent(Throwable failure) {}
