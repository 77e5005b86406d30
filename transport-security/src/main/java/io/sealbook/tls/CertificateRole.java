package io.sealbook.tls;

/** What a certificate may be used for. */
public enum CertificateRole {
    /** A process of a member: accepts connections under the names in its certificate, and connects to others. */
    SERVER,
    /** A program that only connects. Other programs do not accept it as a server. */
    CLIENT
}
