/** Benchmarks of signing, verification, recovery bytes, authentication codes and nonces. Each checks its answer. */
package io.sealbook.perf.bench.crypto;
