/** Benchmarks of what a broker's program does for each batch. */
package io.sealbook.perf.bench.client;
