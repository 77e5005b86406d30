/**
 * JMH benchmarks, a package for each module. Each documents what one operation is, checks its answer, fixes its seed
 * and heap, and runs for a moment in the ordinary build.
 */
package io.sealbook.perf.bench;
