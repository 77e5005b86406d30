/**
 * Where a broker's program begins: {@link io.sealbook.client.broker.BrokerClient} and its builder. They wire the
 * machinery of the other packages and are known to none of them.
 */
package io.sealbook.client.broker;
