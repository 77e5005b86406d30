/**
 * TLS of every process: its settings, its certificate and key, the certificates that it trusts, and the certificates of
 * test nets. It opens no port and knows no HTTP or gRPC server; both shells and the client library use it.
 */
package io.sealbook.tls;
