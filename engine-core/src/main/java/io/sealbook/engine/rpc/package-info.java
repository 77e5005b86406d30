/** The gRPC server of the engine: one port for reports, market data and state. */
package io.sealbook.engine.rpc;
