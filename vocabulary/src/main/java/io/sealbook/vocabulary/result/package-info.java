/**
 * The bytes of results: cells, details, and how those of a block become a Merkle root under the result digest. The
 * matching core writes them, the engine keeps them, a verifier of proofs reads them.
 */
package io.sealbook.vocabulary.result;
