/** Benchmarks of the links between nodes. */
package io.sealbook.perf.bench.peer;
