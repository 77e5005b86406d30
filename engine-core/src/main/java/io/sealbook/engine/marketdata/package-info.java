/**
 * Best prices, depth and trades, which are public.
 *
 * <pre>
 *   matching loop ─▶ DepthBoard (overwritten: conflated) ─┐
 *   output ring ───▶ TradeTape (every trade, in order) ───┴▶ a follower per gRPC stream; WebSockets
 * </pre>
 */
package io.sealbook.engine.marketdata;
