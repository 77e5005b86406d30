/**
 * Figures as data: experiments write them, tables are made from them.
 *
 * <pre>
 *   experiment --json --> Result --> perf/results/*.json --> ResultsCommand --> tables (perf/results/README.md)
 * </pre>
 */
package io.sealbook.perf.results;
