package io.sealbook.crypto;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Properties;

/**
 * A key file without the key: it names one in a hardware module, which PKCS#11 reaches. Where any other key file is
 * read to sign, this one is too; the passphrase is the module's PIN.
 *
 * <pre>
 *   pkcs11-library      path of the module's library
 *   pkcs11-slot         number of the slot; without it the first one that has a token
 *   pkcs11-label        label of key and certificate in the token
 *   public-fingerprint  of the key, see {@link PublicKeyPem}; another key under the label is refused
 * </pre>
 *
 * @param library path of the module's library
 * @param slot empty for the first one that has a token
 * @param label of key and certificate
 * @param fingerprint of the public key, 64 hexadecimal digits
 */
public record Pkcs11KeyFile(Path library, OptionalLong slot, String label, String fingerprint) {
    private static final String LIBRARY = "pkcs11-library";
    private static final String SLOT = "pkcs11-slot";
    private static final String LABEL = "pkcs11-label";
    private static final String FINGERPRINT = "public-fingerprint";

    /**
     * Makes a key in a module, and the file that names it. The file comes first: if it cannot be created, the module is
     * left alone.
     *
     * @param file must not exist
     * @param library path of the module's library
     * @param slot empty for the first one that has a token
     * @param label of key and certificate; no entry of the token may have it
     * @param pin of the token's user; stays the caller's to wipe
     * @return the public half
     * @throws KeyPassphraseException if the PIN is wrong
     * @throws IOException if the file cannot be written, or the module makes no key; there is no file then
     */
    public static VerificationKey make(Path file, Path library, OptionalLong slot, String label, char[] pin)
            throws IOException {
        try (NewFile created = NewFile.ofOwner(file)) {
            VerificationKey key =
                    Pkcs11Token.open(library, slot, pin, file).generate(label).verificationKey();
            Pkcs11KeyFile named = new Pkcs11KeyFile(library, slot, label, PublicKeyPem.fingerprint(key));
            try {
                created.fill(named.bytes());
            } catch (IOException e) {
                throw new IOException(
                        "the module has a new key, " + named.text() + ", which no file names: " + file
                                + " cannot be written: " + e.getMessage()
                                + "; delete the key with the module's own tool, or"
                                + " choose another label",
                        e);
            }
            return key;
        }
    }

    /** Returns whether the bytes of a key file name a key in a module. */
    public static boolean isOne(byte[] content) {
        return !KeyFile.isPkcs12(content)
                && new String(content, StandardCharsets.UTF_8)
                        .lines()
                        .anyMatch(line -> line.strip().startsWith(LIBRARY));
    }

    /**
     * Reads a file's bytes.
     *
     * @param file to name in failures
     * @param content of it
     * @throws IOException if a value is missing or wrong
     */
    public static Pkcs11KeyFile parse(Path file, byte[] content) throws IOException {
        Properties values = new Properties();
        values.load(new StringReader(new String(content, StandardCharsets.UTF_8)));
        try {
            String slot = values.getProperty(SLOT, "").strip();
            return new Pkcs11KeyFile(
                    Path.of(value(file, values, LIBRARY)),
                    slot.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(slot)),
                    value(file, values, LABEL),
                    value(file, values, FINGERPRINT));
        } catch (NumberFormatException e) {
            throw new IOException(file + ": " + SLOT + " is no number", e);
        }
    }

    private static String value(Path file, Properties values, String name) throws IOException {
        String value = values.getProperty(name, "").strip();
        if (value.isEmpty()) {
            throw new IOException(file + ": " + name + " is missing");
        }
        return value;
    }

    /**
     * Writes a new file.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    public void write(Path file) throws IOException {
        NewFile.write(file, bytes());
    }

    private byte[] bytes() {
        String text = "# The private key is in a hardware module. The passphrase of this file is the module's PIN.\n"
                + LIBRARY + "=" + library + "\n"
                + (slot.isPresent() ? SLOT + "=" + slot.getAsLong() + "\n" : "")
                + LABEL + "=" + label + "\n"
                + FINGERPRINT + "=" + fingerprint + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Opens the module.
     *
     * @param file that names the key
     * @param pin asked once
     * @throws KeyPassphraseException if the PIN is wrong
     * @throws IOException if the module cannot be used, or has no such key
     */
    Signer signer(Path file, PassphraseSource pin) throws IOException {
        char[] chars = pin.passphrase(file);
        try {
            Signer signer = Pkcs11Token.open(library, slot, chars, file).signer(label);
            String found = PublicKeyPem.fingerprint(signer.verificationKey());
            if (!found.equals(fingerprint)) {
                throw new IOException(file + ": the module has another key under label " + label + ", fingerprint "
                        + found + ", expected " + fingerprint);
            }
            return signer;
        } finally {
            Arrays.fill(chars, '\0');
        }
    }

    /** Returns where the key is, for people. */
    public String text() {
        return "label " + label + " of " + library + (slot.isPresent() ? ", slot " + slot.getAsLong() : "");
    }
}
