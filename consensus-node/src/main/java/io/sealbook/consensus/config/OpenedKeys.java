package io.sealbook.consensus.config;

import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.Signer;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.util.Optional;

/**
 * Keys of one node's directory, each opened once per process: a node is opened again for each epoch of agreement, and
 * nobody types a passphrase or a PIN then. Certificates and keys of TLS follow their files by themselves. Any thread.
 */
public final class OpenedKeys {
    private Optional<Signer> identity = Optional.empty();
    private Optional<TlsIdentity> tls = Optional.empty();

    /**
     * Returns what signs with the identity key.
     *
     * @param directory of the node
     * @param passphrase of its settings
     * @throws io.sealbook.crypto.KeyPassphraseException if the file is encrypted and does not open
     * @throws IOException if it cannot be read
     */
    synchronized Signer identity(NodeDirectory directory, PassphraseSettings passphrase) throws IOException {
        if (identity.isEmpty()) {
            identity = Optional.of(directory.readKey(passphrase));
        }
        return identity.get();
    }

    /**
     * Returns certificate, key and trusted certificates.
     *
     * @param settings with full paths
     * @return empty without TLS
     * @throws IOException if a file cannot be read or used
     */
    public synchronized Optional<TlsIdentity> tls(TlsSettings settings) throws IOException {
        if (tls.isEmpty()) {
            tls = settings.open();
        }
        return tls;
    }
}
