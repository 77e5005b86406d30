/**
 * The membership of a chain as of any block, from the blocks that hold administrative batches.
 *
 * <pre>
 *   genesis ──▶ block 4 ──▶ block 9 ──▶ block 17 ──▶ membership in effect for block 18 and those after it
 *                 ▲───────────┘▲──────────┘▲── administration block of the header of block 18, 19, ...
 * </pre>
 *
 * {@link io.sealbook.archive.administration.MembershipHistory} follows these links back from a block;
 * {@link io.sealbook.archive.administration.MembershipPass} accompanies a reader that takes all blocks in order.
 */
package io.sealbook.archive.administration;
