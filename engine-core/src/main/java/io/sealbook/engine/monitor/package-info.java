/**
 * The state of the engine, readable from any thread: phase, totals, recent blocks; health and metrics are views of it.
 */
package io.sealbook.engine.monitor;
