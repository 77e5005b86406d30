/** Admitted batches waiting for their block. */
package io.sealbook.node.payload;
