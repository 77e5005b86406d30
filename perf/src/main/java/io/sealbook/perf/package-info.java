/**
 * Benchmarks, experiments, and the local cluster they and the quick start run on. {@link io.sealbook.perf.PerfTool} is
 * the command line.
 */
package io.sealbook.perf;
