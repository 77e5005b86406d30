package io.sealbook.tls.role;

import io.sealbook.crypto.Signer;

/**
 * A program that can prove its role.
 *
 * @param chainId of the genesis file
 * @param role what it is
 * @param id of the broker, auditor or node in the genesis file
 * @param keyId which of a broker's keys the signer has; 0 for auditors and nodes
 * @param signer signs with that key
 */
public record RoleHolder(long chainId, Role role, int id, int keyId, Signer signer) {}
