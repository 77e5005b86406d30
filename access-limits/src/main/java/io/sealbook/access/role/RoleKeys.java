package io.sealbook.access.role;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.role.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The keys of the genesis file by role. Immutable; any thread. */
final class RoleKeys {
    private final Map<Holder, VerificationKey> keys = new HashMap<>();

    private record Holder(Role role, int id, int keyId) {}

    RoleKeys(Genesis genesis) {
        genesis.getBrokersList()
                .forEach(broker -> broker.getKeysList()
                        .forEach(key -> add(Role.BROKER, broker.getBrokerId(), key.getKeyId(), key.getKey())));
        genesis.getAuditorsList().forEach(auditor -> add(Role.AUDITOR, auditor.getAuditorId(), 0, auditor.getKey()));
        genesis.getNodesList().forEach(node -> add(Role.MEMBER, node.getNodeId(), 0, node.getIdentity()));
    }

    private void add(Role role, int id, int keyId, PublicKey key) {
        keys.put(
                new Holder(role, id, keyId),
                VerificationKey.of(
                        SignatureScheme.of(key.getSchemeValue()), key.getPoint().toByteArray()));
    }

    /**
     * Returns the key of a holder.
     *
     * @param role what it is
     * @param id of the broker, auditor or node
     * @param keyId of a broker's key, else 0
     */
    Optional<VerificationKey> key(Role role, int id, int keyId) {
        return Optional.ofNullable(keys.get(new Holder(role, id, keyId)));
    }
}
