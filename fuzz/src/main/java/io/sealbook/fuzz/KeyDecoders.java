package io.sealbook.fuzz;

import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Key files, and the border to native code. */
final class KeyDecoders {
    private static final String NATIVE = "jni";

    private KeyDecoders() {}

    static List<Decoder> all() {
        List<Decoder> decoders = new ArrayList<>(List.of(
                new Decoder("key-file", KeyDecoders::keyFiles, Promises.refuses(IOException.class, KeyDecoders::read)),
                new Decoder(
                        "public-key",
                        () -> List.of(PublicKeyPem.text(SampleChain.key(0).verificationKey())
                                .getBytes(StandardCharsets.US_ASCII)),
                        Promises.stable(
                                IOException.class,
                                bytes -> PublicKeyPem.parse("key", new String(bytes, StandardCharsets.ISO_8859_1)),
                                key -> PublicKeyPem.text(key).getBytes(StandardCharsets.US_ASCII))),
                new Decoder(
                        "public-point",
                        () -> List.of(SampleChain.key(0).verificationKey().point()),
                        Promises.canonical(
                                IllegalArgumentException.class,
                                bytes -> VerificationKey.of(SignatureScheme.SM2_SM3, bytes),
                                VerificationKey::point))));
        if (isNativeCodeHere()) {
            decoders.add(new Decoder("native-signature", KeyDecoders::signatures, KeyDecoders::verify));
        }
        return decoders;
    }

    private static boolean isNativeCodeHere() {
        try (SignatureVerifier verifier = SignatureProviders.named(NATIVE)) {
            return verifier != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static List<byte[]> keyFiles() {
        try {
            Path directory = Files.createTempDirectory("fuzz-keys");
            Path file = directory.resolve("key");
            KeyFile.write(file, SampleChain.key(0));
            List<byte[]> contents = new ArrayList<>();
            contents.add(Files.readAllBytes(file));
            Files.delete(file);
            Files.delete(directory);
            contents.add(nestedDer());
            contents.add(pem(nestedDer()));
            return contents;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sequences in sequences, each of indefinite length. */
    private static byte[] nestedDer() {
        byte[] der = new byte[20_000];
        for (int i = 0; i < der.length; i += 2) {
            der[i] = 0x30;
            der[i + 1] = (byte) 0x80;
        }
        return der;
    }

    private static byte[] pem(byte[] der) {
        return ("-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(der)
                        + "\n-----END PRIVATE KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Without a passphrase: what follows one takes a third of a second by design. */
    private static Object read(byte[] bytes) throws IOException {
        Path file = MemoryFiles.with("key", bytes).file("key");
        return KeyFile.open(file, PassphraseSource.NONE);
    }

    private static List<byte[]> signatures() {
        List<byte[]> inputs = new ArrayList<>();
        for (int scheme = 0; scheme < 2; scheme++) {
            byte[] message = {1, 2, 3, (byte) scheme};
            inputs.add(Sealing.joined(
                    new byte[] {(byte) scheme}, Keys.ALL.get(scheme).signer().sign(message), message));
        }
        return inputs;
    }

    /** A scheme, a signature, a message of any length: native code and Java agree about them. */
    private static void verify(byte[] bytes) {
        int messageAt = 1 + SignatureScheme.SIGNATURE_LENGTH;
        if (bytes.length < messageAt) {
            return;
        }
        VerificationKey key = Keys.ALL.get(bytes[0] & 1).verificationKey();
        byte[] signature = Arrays.copyOfRange(bytes, 1, messageAt);
        byte[] message = Arrays.copyOfRange(bytes, messageAt, bytes.length);
        boolean expected = isValid(Keys.JAVA, key, message, signature);
        boolean found = isValid(Keys.NATIVE_CODE, key, message, signature);
        Promises.require(expected == found, "native code says " + found + ", Java " + expected);
    }

    private static boolean isValid(SignatureVerifier verifier, VerificationKey key, byte[] message, byte[] signature) {
        SignatureBatch one = new SignatureBatch(1);
        one.add(key, message, signature);
        return verifier.verify(one) == 1;
    }

    private static final class Keys {
        static final List<SigningKey> ALL = List.of(SampleChain.key(0), secp256k1());
        static final SignatureVerifier JAVA = SignatureProviders.named(BouncyCastleProvider.NAME);
        static final SignatureVerifier NATIVE_CODE = SignatureProviders.named(NATIVE);

        private static SigningKey secp256k1() {
            byte[] scalar = new byte[32];
            scalar[31] = 7;
            return SigningKey.of(SignatureScheme.ECDSA_SECP256K1_SHA256, scalar);
        }
    }
}
