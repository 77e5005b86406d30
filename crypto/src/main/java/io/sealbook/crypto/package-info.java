/**
 * Signatures of brokers and nodes: SM2 with SM3 (GB/T 32918) and ECDSA on secp256k1 with SHA-256, signed one at a time,
 * verified in batches, kept in key files.
 *
 * <pre>
 *   SigningKey ──▶ Signer ──▶ r ‖ s ‖ v (65 bytes) ──▶ SignatureBatch ──▶ SignatureVerifier ──▶ verdict per entry
 *                                                                             ▲
 *                             SignatureProviders: self-test, then speed ──────┘   bc (here), gpu (another module)
 * </pre>
 *
 * Bouncy Castle's lightweight API does the field and point arithmetic; the schemes themselves are written here, because
 * the recovery byte needs the nonce point and repeated verification under known keys needs tables.
 */
package io.sealbook.crypto;
