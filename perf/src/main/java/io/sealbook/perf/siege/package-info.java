/**
 * Attacks on a running cluster with TLS: every door with every role, floods, forged artefacts.
 *
 * <pre>
 *   SiegeCommand ─▶ Siege ─▶ Attack ─▶ AttackResult
 *                     └────▶ Besieged: cluster, honest brokers under load, identities of callers
 * </pre>
 */
package io.sealbook.perf.siege;
