package io.sealbook.client.broker;

import io.sealbook.client.InvalidOrderException;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Genesis;
import java.util.Arrays;

/**
 * A broker and the key that signs for it, in a configuration. Immutable; any thread.
 *
 * @param broker with its accounts
 * @param key that signs
 */
record SigningBroker(Broker broker, BrokerKey key) {
    /**
     * Finds broker and key.
     *
     * @param terms a configuration
     * @param brokerId of the broker
     * @param keyId of its key
     * @param signer that has the key
     * @throws IllegalArgumentException if the configuration has no such broker or key, or the signer another key
     */
    static SigningBroker of(Genesis terms, int brokerId, int keyId, Signer signer) {
        String name = "broker " + Integer.toUnsignedString(brokerId);
        Broker broker = terms.getBrokersList().stream()
                .filter(each -> each.getBrokerId() == brokerId)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no broker of the chain"));
        BrokerKey key = broker.getKeysList().stream()
                .filter(each -> each.getKeyId() == keyId)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("key " + keyId + " of " + name + " is no key of the chain"));
        require(
                SignatureScheme.of(key.getKey().getSchemeValue()) == signer.scheme(),
                "key " + keyId + " is " + key.getKey().getScheme() + ", the signer is " + signer.scheme());
        require(
                Arrays.equals(
                        key.getKey().getPoint().toByteArray(),
                        signer.verificationKey().point()),
                "the signer's key is not key " + keyId + " of " + name);
        return new SigningBroker(broker, key);
    }

    /** Returns whether batches under the key are executed. */
    boolean isKeyInEffect() {
        return key.getUntilBlock() == 0;
    }

    /**
     * Checks what the broker may do.
     *
     * @param index of the entry in its batch
     * @param action of the entry
     * @throws InvalidOrderException if an engine would refuse it
     */
    void check(int index, Action action) {
        if (!isKeyInEffect()) {
            throw new InvalidOrderException(
                    index,
                    RejectReason.KEY_NOT_IN_EFFECT,
                    "key " + key.getKeyId() + " was revoked at block " + key.getUntilBlock());
        }
        if (broker.getStatus() == BrokerStatus.BROKER_REMOVED) {
            throw new InvalidOrderException(index, RejectReason.BROKER_REMOVED, "the broker was removed");
        }
        if (broker.getStatus() == BrokerStatus.BROKER_SUSPENDED && (action == Action.NEW || action == Action.REPLACE)) {
            throw new InvalidOrderException(
                    index, RejectReason.BROKER_SUSPENDED, "the broker is suspended and may only cancel");
        }
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
