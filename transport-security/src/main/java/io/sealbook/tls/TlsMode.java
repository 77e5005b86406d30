package io.sealbook.tls;

/** Whether the connections of a process are encrypted and both of their sides authenticated. */
public enum TlsMode {
    /** Plain connections, which only a process that listens on this machine alone may have. */
    OFF,
    /** TLS 1.3; both sides show a certificate that the other one trusts. */
    REQUIRED
}
