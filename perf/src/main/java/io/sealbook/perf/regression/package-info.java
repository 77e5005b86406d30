/** What engineers run before a release: the benchmarks beside a yardstick, compared with a checked-in baseline. */
package io.sealbook.perf.regression;
