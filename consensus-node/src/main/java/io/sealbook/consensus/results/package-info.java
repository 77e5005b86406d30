/**
 * The way of results over the network, from an engine on another machine to its node.
 *
 * <pre>
 *   engine ──▶ queue/results ──▶ ResultReturner ──gRPC──▶ ResultReturnService ──▶ ReturnedResults ──▶ checkpoints
 *   (follower's machine)                                  (node with engine=remote)
 * </pre>
 *
 * Each result has an authentication code under a key that both sides hold, over a challenge of the stream: no other
 * process can make the node sign a result, and none can be repeated. The node stores nothing: after a restart it names
 * the first result that it lacks.
 */
package io.sealbook.consensus.results;
