/**
 * Sessions of brokers at one node: which numbers it holds, which are delivered, and what a broker signed twice.
 *
 * <pre>
 *   admission ──offer──▶ Sessions ◀──delivered── committer
 *                 │conflict      └──heads──▶ SessionHeads, a file at every 256th block
 *                 ▼
 *            Equivocations ──▶ EvidenceStore, a file per session
 * </pre>
 */
package io.sealbook.node.session;
