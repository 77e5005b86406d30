package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStoreException;
import java.security.ProviderException;
import java.security.UnrecoverableKeyException;
import javax.security.auth.login.LoginException;
import org.junit.jupiter.api.Test;

/** Failures as {@code sun.security.pkcs11.P11KeyStore.engineLoad} reports them. */
class Pkcs11TokenTest {
    @Test
    void shouldCallNothingElseAWrongPin() {
        assertThat(failure(new UnrecoverableKeyException()))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining("wrong PIN for node.key");

        LoginException locked = new LoginException();
        locked.initCause(new ProviderException("CKR_PIN_LOCKED"));
        assertThat(failure(locked)).hasMessage("PKCS#11 module.so, slot = 1: CKR_PIN_LOCKED");
        assertThat(failure(new LoginException("No token present")))
                .hasMessage("PKCS#11 module.so, slot = 1: No token present");
        assertThat(failure(new KeyStoreException("unexpected attribute")))
                .hasMessage("PKCS#11 module.so, slot = 1: unexpected attribute");
        for (Exception other : new Exception[] {locked, new LoginException("x"), new KeyStoreException("x")}) {
            assertThat(failure(other)).isNotInstanceOf(KeyPassphraseException.class);
        }
    }

    private static IOException failure(Exception cause) {
        return Pkcs11Token.loadFailure(
                new IOException("load failed", cause), Path.of("module.so"), "slot = 1", Path.of("node.key"));
    }
}
