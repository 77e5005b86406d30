/**
 * A matching engine in a Spring Boot application: settings, the engine's parts as beans, its outputs, health and
 * meters.
 *
 * <pre>
 *   EmbeddedEngineProperties, EngineSettings ─▶ EngineAutoConfiguration ─▶ MatchingLoop ─▶ BlockOutput
 *                                                 ▲ EngineLifecycle: starts and stops      ├─▶ journal, report stores
 *                                                 └ EngineHealthIndicator, EngineMeters    └─▶ OutputConsumer beans
 * </pre>
 */
package io.sealbook.spring.engine;
