/**
 * The platform's schemas. Nothing here acts: no I/O, no clock, no thread.
 *
 * <p>{@code sbe} holds flyweights generated from {@code orders.xml} (they need Agrona, which only nodes and engines
 * carry; the enumerations in it do not). {@code v1} holds the gRPC services and the genesis message.
 */
package io.sealbook.protocol;
