/**
 * Agreement as a pure state machine: {@link io.sealbook.pbft.Replica#step Replica.step(input, outputs)} decides, the
 * shell acts. No clock, thread, file, socket, random source or logger; equal inputs give equal outputs. One thread owns
 * a replica.
 *
 * <pre>
 *                       SUSPICIONs of f+1 replicas, or their VIEW-CHANGEs
 *              +---------------------------------------------------------------+
 *              |                                                               v
 *  start -> NORMAL &lt;------------- valid NEW-VIEW (own as primary) --------- VIEW_CHANGE --+ the same: next view
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
 * <p>A timer, a silent primary or a wrong NEW-VIEW makes a replica suspect its view, and nothing more.
 *
 * <p>Parts, all package-private, share one {@code Core}:
 *
 * <ul>
 *   <li>state: {@code Standing} (view, isolation, transfer, stable checkpoint) alone writes it; {@code Restore}
 *   <li>normal case: {@code Ordering}, {@code Batches} and {@code SessionTable} (what is held and proposed of each
 *       session), {@code FairOrder}, {@code Checkpoints}
 *   <li>judgement of the primary: {@code Supervision} (waiting batches), {@code Silence} (heartbeats),
 *       {@code Suspicions} (who wants to end which view)
 *   <li>view change: {@code ViewChanges} with {@code NewViewObligation} and {@code Certificates}
 *   <li>{@code Retransmission} (what others miss), {@code Witness} (who signs twice)
 * </ul>
 *
 * <p>Messages are in {@code message}; the rules in {@code pbft/doc/protocol.md}.
 */
package io.sealbook.pbft;
