/** Event loops for sockets, as the links between nodes and the gateway use them. */
package io.sealbook.consensus.loop;
