/**
 * Holes that are planted in a cluster, so that the siege shows what it finds.
 *
 * <pre>
 *   perf/holes ─▶ HolesCommand ─▶ HoleHunt ─▶ siege as a process ─▶ nodes, engines and tools with HoleAgent
 * </pre>
 */
package io.sealbook.perf.siege.hole;
