/**
 * Who a program is: statements in which the holder of a signing key of the genesis file names a certificate of TLS as
 * its own. The handshake proves the certificate's key, the statement ties it to the role.
 */
package io.sealbook.tls.role;
