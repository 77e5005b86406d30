/**
 * How much one address may hold at the engine's two ports until brokers prove who they are: connections, streams and
 * requests. What is beyond it is closed or refused, counted and logged at a limited rate.
 */
package io.sealbook.engine.access;
