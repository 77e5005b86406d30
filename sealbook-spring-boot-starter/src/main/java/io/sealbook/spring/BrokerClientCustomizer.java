package io.sealbook.spring;

import io.sealbook.client.broker.BrokerClientBuilder;

/** Changes the client before it connects, after all properties have been applied. Beans of this type are ordered. */
@FunctionalInterface
public interface BrokerClientCustomizer {

    /** Sets what properties do not cover. */
    void customize(BrokerClientBuilder builder);
}
