/** Brokers' programs that keep a ledger, and the processes that run them. */
package io.sealbook.chaos.broker;
