/**
 * Proofs for a stranger who has the genesis file and nothing else.
 *
 * <pre>
 *   order ⊂ signed batch ─SHA-256─▶ batch id ─Merkle path─▶ block header ─previous hashes─▶ header of the checkpoint
 *                                                                                              │ SHA-256
 *   genesis file: chain id, node keys, quorum ──signatures──▶ checkpoint certificate ──────▶ chain hash
 * </pre>
 *
 * {@link io.sealbook.archive.proof.InclusionProof} is the evidence and its file form,
 * {@link io.sealbook.archive.proof.ProofVerifier} judges it offline. A proof carries the signed bytes of the batch when
 * an order in it is to be shown; what an order is stays with the reader of those bytes.
 */
package io.sealbook.archive.proof;
