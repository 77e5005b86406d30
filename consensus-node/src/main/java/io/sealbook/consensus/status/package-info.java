/** The node's meters. */
package io.sealbook.consensus.status;
