/** Admitted batches waiting for their block, and which nonces have been used. */
package io.sealbook.node.payload;
