/**
 * A node's archive repairs itself: what is damaged is fetched from peers by its hash.
 *
 * <pre>
 *   Scrub, reads ─▶ ArchiveHealth: quarantined ─▶ ArchiveRepair: asks a peer ─▶ RepairJudge ─▶ written in its place
 *                                                     ▲        wrong: this peer is not asked for it again
 *                                                     └──────────────────┘
 * </pre>
 */
package io.sealbook.node.repair;
