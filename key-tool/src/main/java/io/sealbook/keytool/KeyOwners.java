package io.sealbook.keytool;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whose a key is. */
public final class KeyOwners {
    private KeyOwners() {}

    /**
     * Returns the members, brokers and auditors of a genesis file that have a key, as people name them.
     *
     * @param key looked for
     * @param genesis of the chain
     */
    public static List<String> of(VerificationKey key, Genesis genesis) {
        List<String> owners = new ArrayList<>();
        genesis.getNodesList().stream()
                .filter(node -> isSame(key, node.getIdentity()))
                .forEach(node -> owners.add("node " + node.getNodeId() + " (" + node.getName() + ")"));
        for (Broker broker : genesis.getBrokersList()) {
            for (BrokerKey each : broker.getKeysList()) {
                if (isSame(key, each.getKey())) {
                    owners.add("key " + Integer.toUnsignedString(each.getKeyId()) + " of broker "
                            + Integer.toUnsignedString(broker.getBrokerId()) + " (" + broker.getName() + ")");
                }
            }
        }
        genesis.getAuditorsList().stream()
                .filter(auditor -> isSame(key, auditor.getKey()))
                .forEach(auditor -> owners.add("auditor " + Integer.toUnsignedString(auditor.getAuditorId()) + " ("
                        + auditor.getName() + ")"));
        return owners;
    }

    private static boolean isSame(VerificationKey key, PublicKey named) {
        return key.scheme().code() == named.getSchemeValue()
                && Arrays.equals(key.point(), named.getPoint().toByteArray());
    }
}
