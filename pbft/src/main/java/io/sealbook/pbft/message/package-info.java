/** What travels between replicas: immutable values that know which bytes are signed. The table is in {@code pbft/doc/protocol.md}. */
package io.sealbook.pbft.message;
