/**
 * The bytes of results: how reports and trades are packed, and how a block's packed messages become a Merkle root under
 * the result digest. The matching core writes them, the engine keeps them, a verifier of proofs reads them.
 */
package io.sealbook.vocabulary.result;
