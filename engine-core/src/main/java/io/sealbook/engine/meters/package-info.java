/** An engine's figures for Prometheus. */
package io.sealbook.engine.meters;
