/**
 * What a replica must not lose of the batches that it acknowledged or voted for: their bytes, until an archive holds
 * them.
 *
 * <pre>
 *   Admission ─▶ append … append ─▶ flush ─▶ agreement hears of the group
 *                                  │
 *        segment 7 (sealed)  segment 8 (sealed)  segment 9 (written)     spares
 *        live 0: a spare     live 3              live 41
 *                                  ▲
 *   PayloadStore.remove ─▶ retire ─┘   (block in the archive, or batch dropped)
 * </pre>
 *
 * The bytes are in {@code node-core/doc/payload-log.md}.
 */
package io.sealbook.node.payloadlog;
