package io.sealbook.tls;

import io.sealbook.crypto.PassphraseSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How a process protects its connections. Every program of the platform has these keys, with its own prefix if it has
 * one:
 *
 * <pre>
 *   key              default              meaning
 *   tls              by address           off, or required: TLS 1.3, both sides with a certificate. Without the key:
 *                                         off if every port is on this machine alone, else required. off is refused
 *                                         for a port that other machines reach
 *   tls-certificate  tls/certificate.pem  certificate of this process and those between it and a trusted one, PEM
 *   tls-key          tls/key.pem          its private key, PKCS#8 PEM, encrypted or not; or PKCS#12 with key and
 *                                         certificate, and tls-certificate is not read
 *   tls-key-passphrase-file, tls-key-passphrase-env
 *                                         passphrase of an encrypted tls-key: see PassphraseSettings
 *   tls-trusted      tls/trusted.pem      certificates of the authorities whose certificates are accepted, PEM
 *   tls-revoked      tls/revoked.pem      revocation lists of these authorities, PEM; the file may be absent
 * </pre>
 *
 * @param mode whether there is TLS
 * @param certificate file, from the process's directory unless absolute
 * @param key file, likewise
 * @param passphrase where that of the key is
 * @param trusted file, likewise
 * @param revoked file, likewise
 */
public record TlsSettings(
        TlsMode mode, Path certificate, Path key, PassphraseSettings passphrase, Path trusted, Path revoked) {
    public static final String MODE_KEY = "tls";
    public static final String CERTIFICATE_KEY = "tls-certificate";
    public static final String KEY_KEY = "tls-key";
    public static final String TRUSTED_KEY = "tls-trusted";
    public static final String REVOKED_KEY = "tls-revoked";

    private static final String PASSPHRASE_PREFIX = "tls-";
    private static final Path DIRECTORY = Path.of("tls");

    /** No TLS, for processes and tests on one machine. */
    public static final TlsSettings OFF = ofMode(TlsMode.OFF);

    private static TlsSettings ofMode(TlsMode mode) {
        return new TlsSettings(
                mode,
                DIRECTORY.resolve("certificate.pem"),
                DIRECTORY.resolve("key.pem"),
                new PassphraseSettings(PASSPHRASE_PREFIX, Optional.empty(), Optional.empty()),
                DIRECTORY.resolve("trusted.pem"),
                DIRECTORY.resolve("revoked.pem"));
    }

    /** Returns TLS with the default file names in a directory. */
    public static TlsSettings ofFilesIn(Path directory) {
        TlsSettings named = ofMode(TlsMode.REQUIRED);
        return new TlsSettings(
                TlsMode.REQUIRED,
                directory.resolve(named.certificate.getFileName()),
                directory.resolve(named.key.getFileName()),
                named.passphrase,
                directory.resolve(named.trusted.getFileName()),
                directory.resolve(named.revoked.getFileName()));
    }

    /**
     * Reads settings.
     *
     * @param source returns the value of a key, or null where the default holds
     * @param addresses on which the process listens; none for a process that only connects
     * @throws IllegalArgumentException if a value is wrong, or TLS is off for an address that other machines reach
     */
    public static TlsSettings of(UnaryOperator<String> source, List<String> addresses) {
        Optional<String> exposed =
                addresses.stream().filter(address -> !isLoopback(address)).findFirst();
        String byDefault = spelling(exposed.isPresent() ? TlsMode.REQUIRED : TlsMode.OFF);
        TlsMode mode = mode(text(source, MODE_KEY, byDefault));
        if (mode == TlsMode.OFF && exposed.isPresent()) {
            throw new IllegalArgumentException("tls=off, but other machines reach a port on address '" + exposed.get()
                    + "': set tls=required with certificate, key and trusted certificates, or listen on 127.0.0.1");
        }
        TlsSettings files = ofMode(mode);
        return new TlsSettings(
                mode,
                Path.of(text(source, CERTIFICATE_KEY, files.certificate.toString())),
                Path.of(text(source, KEY_KEY, files.key.toString())),
                PassphraseSettings.of(PASSPHRASE_PREFIX, source),
                Path.of(text(source, TRUSTED_KEY, files.trusted.toString())),
                Path.of(text(source, REVOKED_KEY, files.revoked.toString())));
    }

    /** Returns these settings with their files in a directory. */
    public TlsSettings in(Path directory) {
        return new TlsSettings(
                mode,
                directory.resolve(certificate),
                directory.resolve(key),
                passphrase.in(directory),
                directory.resolve(trusted),
                directory.resolve(revoked));
    }

    /** Returns whether there is TLS. */
    public boolean isRequired() {
        return mode == TlsMode.REQUIRED;
    }

    /**
     * Reads certificate, key and trusted certificates.
     *
     * @return empty without TLS
     * @throws io.sealbook.crypto.KeyPassphraseException if the key is encrypted, and the passphrase is wrong or none
     *     can be had
     * @throws IOException if a file cannot be read or used; the message names it
     */
    public Optional<TlsIdentity> open() throws IOException {
        return isRequired() ? Optional.of(TlsIdentity.open(this)) : Optional.empty();
    }

    /** Returns whether only this machine reaches an address; an unknown name counts as one that others reach. */
    public static boolean isLoopback(String address) {
        try {
            return !address.isBlank()
                    && Arrays.stream(InetAddress.getAllByName(address)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static TlsMode mode(String text) {
        for (TlsMode mode : TlsMode.values()) {
            if (spelling(mode).equals(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("tls=" + text + " is none of [off, required]");
    }

    private static String spelling(TlsMode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    private static String text(UnaryOperator<String> source, String key, String byDefault) {
        String value = source.apply(key);
        return value == null || value.isBlank() ? byDefault : value.strip();
    }
}
