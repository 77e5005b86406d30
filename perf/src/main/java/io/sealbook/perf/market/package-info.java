/**
 * The matching core alone over a market of a given size: processor time per order, with the memory of a real market.
 */
package io.sealbook.perf.market;
