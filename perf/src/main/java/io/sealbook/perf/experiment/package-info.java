/**
 * Experiments: whole-system measurements that re-run those of the source papers on this system and print ours beside
 * theirs. Every one checks its answers; a fast wrong result fails.
 */
package io.sealbook.perf.experiment;
