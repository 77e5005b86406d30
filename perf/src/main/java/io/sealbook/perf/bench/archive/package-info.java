/**
 * Benchmarks of the archive and of the hand-off to the engine. Files are written below {@code -Dsealbook.bench.dir=DIR}
 * or the platform's directory for temporary files, and deleted afterwards. Each checks what it wrote or read.
 */
package io.sealbook.perf.bench.archive;
