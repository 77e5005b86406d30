/** Benchmarks of a node's decisions. */
package io.sealbook.perf.bench.node;
