/** What the limits of a port cost. */
package io.sealbook.perf.bench.access;
