/**
 * Limits per address at the engine's two ports: connections, streams and requests. An excess is closed or refused,
 * counted, and logged at a limited rate. Brokers do not prove their identity yet.
 */
package io.sealbook.engine.access;
