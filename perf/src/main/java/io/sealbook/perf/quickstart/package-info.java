/** The first thing a newcomer runs: a cluster, four brokers, real order flow, and the oracle's verdict. */
package io.sealbook.perf.quickstart;
