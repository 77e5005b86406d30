/**
 * Where the members' nodes listen at present: the records that nodes sign, kept in a file and exchanged through
 * gateways. And who they are by now, if this node is epochs behind: the membership proof of its directory.
 *
 * <pre>
 *   node.properties ─▶ own record ─┐
 *   gateways of others ◀──▶ EndpointExchange ◀──▶ NodeEndpoints ◀──▶ known-nodes.json
 *                                                     │
 *                                    peer links, gateway, tools ask it
 * </pre>
 */
package io.sealbook.consensus.endpoint;
