/**
 * Where nodes listen: records that each node signs with its identity key, so that it can move without a vote of the
 * others. See docs/decisions/0050-nodes-sign-their-addresses.md.
 */
package io.sealbook.tls.endpoint;
