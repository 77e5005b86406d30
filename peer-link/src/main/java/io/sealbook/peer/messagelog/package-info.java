/**
 * Authenticated peer messages that wait for the agent: a hash table of fixed off-heap slots.
 *
 * <pre>
 *   event loop                                                     agent thread
 *   key ─▶ Murmur3 ─▶ bucket of 4 slots ─▶ copy in ─▶ set bit ─▶ handle ─▶ read ─▶ clear bit
 *                          │ full, or message wider than a slot
 *                          └──────────▶ heap overflow, bounded in bytes, counted
 * </pre>
 *
 * The table does not depend on the content of messages. One thread stores, one thread reads and releases.
 */
package io.sealbook.peer.messagelog;
