package io.sealbook.consensus.gateway;

/**
 * What runs if the gateway refuses an address that has its share; any thread, must not wait.
 *
 * @param onConnection a connection was closed
 * @param onRead a call was refused
 */
public record GatewayRefusals(Runnable onConnection, Runnable onRead) {}
