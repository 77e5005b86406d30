/** The present configuration of the chain, as f + 1 nodes report it. */
package io.sealbook.client.membership;
