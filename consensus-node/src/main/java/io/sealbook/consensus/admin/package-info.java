/** Metrics, health and status over HTTP, for operators; on 127.0.0.1 unless configured otherwise. */
package io.sealbook.consensus.admin;
