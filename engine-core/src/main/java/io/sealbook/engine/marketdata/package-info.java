/**
 * Best prices, depth and trades, which are public.
 *
 * <pre>
 *   matching loop ─▶ DepthBoard (overwritten: conflated) ─┐
 *   output ring ───▶ TradeTape (every trade, in order) ───┴▶ MarketDataPublisher ─▶ gRPC streams, WebSocket sessions
 * </pre>
 */
package io.sealbook.engine.marketdata;
