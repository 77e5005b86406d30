/**
 * Evaluates the alert rules of {@code docker/prometheus/alerts.yml} on scrapes at chosen times: the subset of PromQL
 * that they use, as Prometheus computes it.
 */
package io.sealbook.alerts;
