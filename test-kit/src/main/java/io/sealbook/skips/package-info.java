/**
 * What a build skips, and why.
 *
 * <pre>
 *   tests of every module --> SkipRecorder --> MODULE/target/skips/*.tsv --> SkipTable --> table, exit status
 *   build steps ------------------------------------^                            ^
 *                              Need -- does this machine have it? ---------------'
 * </pre>
 */
package io.sealbook.skips;
