/**
 * Limits per address at the engine's HTTP port: connections, WebSockets and requests. An excess is closed or refused,
 * counted, and logged at a limited rate.
 */
package io.sealbook.engine.http;
