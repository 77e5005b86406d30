/** Brokers that replay an order flow through the client SDK, as a broker's own program would, and keep count. */
package io.sealbook.perf.broker;
