/**
 * What the matching core can do alone: the books on recorded days and over 2,000 instruments, the whole core with its
 * reports and digest, and a peer's book on the same messages.
 */
package io.sealbook.perf.bench.matching;
