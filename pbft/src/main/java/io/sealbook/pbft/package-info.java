/**
 * Agreement as a pure state machine: {@link io.sealbook.pbft.Replica#step Replica.step(input, outputs)} decides, the
 * shell acts. No clock, thread, file, socket, random source or logger; equal inputs give equal outputs. One thread owns
 * a replica.
 *
 * <pre>
 *                       REQUEST or VIEW_CHANGE timer, f+1 others left, wrong NEW-VIEW
 *              +---------------------------------------------------------------+
 *              |                                                               v
 *  start -> NORMAL &lt;------------- valid NEW-VIEW (own as primary) --------- VIEW_CHANGE --+ timer: next view
 *              |  ^                                                            ^   ^------+
 *   certificate|  | StateTransferred                                           |
 *   beyond what|  | (to VIEW_CHANGE while no view is active)                   |
 *   messages   v  |                                                            |
 *   can repair TRANSFERRING ----------------- as NORMAL -----------------------+
 *
 *  any -- f+1 others, or a certificate, with another result than the own engine's --> ISOLATED
 *  ISOLATED -- StateTransferred, or the rebuilt engine reaches a certificate --> as before
 *  any -- InvariantViolation --> the shell stops the replica
 * </pre>
 *
 * <p>Parts, all package-private: {@code Ordering} (normal case), {@code Batches} and {@code SessionTable} (what is held
 * and proposed of each session), {@code Checkpoints}, {@code ViewChanges} with {@code NewViewObligation} and
 * {@code Certificates}, {@code Retransmission}, {@code Restore}. They share one {@code Core}. Messages are in
 * {@code message}; the rules in {@code pbft/doc/protocol.md}.
 */
package io.sealbook.pbft;
