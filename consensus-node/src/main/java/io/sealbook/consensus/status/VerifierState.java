package io.sealbook.consensus.status;

/**
 * What verifies signatures at present.
 *
 * @param provider name of the provider
 * @param perSecond verifications per second that a measurement of it has found, on one calling thread; 0 if it took
 *     over from another without one
 * @param fault why a faster provider or its device is not used; empty if nothing is wrong
 */
public record VerifierState(String provider, int perSecond, String fault) {}
