/**
 * Blocks kept without end in sequential segment files: append by one thread, constant-time reads by number from any,
 * recovery after a crash.
 *
 * <pre>
 *   BlockBuilder ──bytes──▶ BlockArchive.append ──▶ open segment ──full──▶ closed segment (index in its head)
 *                                                        ▲                        ▲
 *                            BlockArchive.read(n) ───────┴── one look-up, one read┘
 *                                                        ▲
 *                    another process, BlockLocation ─────┴── LocatedBlockReader
 * </pre>
 *
 * This package reads blocks and no orders: a batch is an id, the time of its block and bytes. Of ours it depends on
 * {@code vocabulary} alone. The bytes of a block are drawn at {@link io.sealbook.archive.Block}, those of the files in
 * {@code doc/segment-format.md}.
 */
package io.sealbook.archive;
