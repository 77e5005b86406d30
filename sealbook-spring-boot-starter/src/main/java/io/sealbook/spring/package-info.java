/**
 * A broker's client in a Spring Boot application: settings, the client as a bean, reports to methods of beans, health
 * and meters.
 *
 * <pre>
 *   SealbookProperties ─▶ SealbookAutoConfiguration ─▶ BrokerClient ─▶ ReportDelivery ─▶ listeners, @OnExecutionReport
 *                                                        ▲ BrokerClientLifecycle: opens delivery, closes the client
 *                                                        └ BrokerHealthIndicator, BrokerMeters, TimedBroker
 * </pre>
 */
package io.sealbook.spring;
