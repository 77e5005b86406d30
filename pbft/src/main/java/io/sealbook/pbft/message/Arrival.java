package io.sealbook.pbft.message;

/**
 * When a batch arrived at a replica.
 *
 * @param batch with its place in its session
 * @param timeNs of the replica's clock, nanoseconds since the epoch
 */
public record Arrival(SessionEnd batch, long timeNs) {}
