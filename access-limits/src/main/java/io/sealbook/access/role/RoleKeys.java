package io.sealbook.access.role;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.AuditorStatus;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.role.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The keys of a configuration that prove a role, by role. Immutable; any thread. */
final class RoleKeys {
    private final Genesis terms;
    private final Map<Holder, VerificationKey> keys = new HashMap<>();

    private record Holder(Role role, int id, int keyId) {}

    /** @param terms a genesis file's content, as it was or as transactions have changed it */
    RoleKeys(Genesis terms) {
        this.terms = terms;
        for (Broker broker : terms.getBrokersList()) {
            if (broker.getStatus() != BrokerStatus.BROKER_REMOVED) {
                broker.getKeysList().stream()
                        .filter(key -> key.getUntilBlock() == 0)
                        .forEach(key -> add(Role.BROKER, broker.getBrokerId(), key.getKeyId(), key.getKey()));
            }
        }
        terms.getAuditorsList().stream()
                .filter(auditor -> auditor.getStatus() != AuditorStatus.AUDITOR_REMOVED)
                .forEach(auditor -> add(Role.AUDITOR, auditor.getAuditorId(), 0, auditor.getKey()));
        terms.getNodesList().forEach(node -> add(Role.MEMBER, node.getNodeId(), 0, node.getIdentity()));
    }

    boolean isOf(Genesis present) {
        return terms == present;
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
