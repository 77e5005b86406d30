/** Who may call what: roles of the genesis file, proven by statements over the certificates of TLS. */
package io.sealbook.access.role;
