/**
 * What travels between replicas and what it is made of: messages, proposals, certificates, signatures. Immutable values
 * that name the bytes under each signature; they decide nothing and depend on no other package of this module. The
 * table of messages is in {@code pbft/doc/protocol.md}.
 */
package io.sealbook.pbft.message;
