/**
 * Where authenticated peer messages wait for the agent: a hash table of fixed off-heap slots (requirement D3).
 *
 * <pre>
 *   event loop                                                     agent thread
 *   key ─▶ Murmur3 ─▶ bucket of 4 slots ─▶ copy in ─▶ set bit ─▶ handle ─▶ read ─▶ clear bit
 *                          │ full, or message wider than a slot
 *                          └──────────▶ heap overflow, bounded in bytes, counted
 * </pre>
 *
 * The table knows nothing of what a message means. One thread stores, one thread reads and releases.
 */
package io.sealbook.peer.messagelog;
