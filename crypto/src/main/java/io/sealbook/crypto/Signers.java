package io.sealbook.crypto;

import io.sealbook.crypto.ProviderSearch.Candidate;
import io.sealbook.crypto.ProviderSearch.Installed;
import io.sealbook.crypto.ProviderSearch.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.util.BigIntegers;

/**
 * Makes signers: the fastest on the class path that passes its self-test, else the Java ones, which are always there.
 *
 * <p>All providers make the same signatures, so the choice shows in speed only. It is made once per process, when the
 * first signer is, and logs a warning if a provider fails that should work on this machine. {@link #named} takes a
 * provider by name. Any thread.
 */
public final class Signers {
    /** Name of the Java signers. */
    public static final String JAVA = "bc";

    private static final System.Logger LOGGER = System.getLogger(Signers.class.getName());

    private Signers() {}

    /** The process's choice, made at its first use. */
    private static final class ProcessChoice {
        static final Choice CHOICE = logged(choose(ProviderSearch.installed(SignerProvider.class)));
    }

    /**
     * A chosen provider and how it was chosen.
     *
     * @param provider empty for the Java signers
     * @param findings one per provider looked at
     */
    record Choice(Optional<SignerProvider> provider, List<ProviderFinding> findings) {}

    /** Returns a signer with a new key, which cannot be written to a file: see {@link SigningKey#generate}. */
    public static Signer generate(SignatureScheme scheme) {
        return of(SigningKey.generate(scheme));
    }

    /** Returns the fastest signer of a key. */
    public static Signer of(SigningKey key) {
        return ProcessChoice.CHOICE
                .provider()
                .flatMap(provider -> open(provider, key) instanceof Opening.Opened<Signer> opened
                        ? Optional.of(opened.value())
                        : Optional.empty())
                .orElseGet(key::javaSigner);
    }

    /**
     * Returns a signer of one provider, not self-tested.
     *
     * @param name such as {@code bc} or {@code jni}
     * @param key signs with it
     * @throws IllegalArgumentException if there is no such provider, or it cannot serve on this machine; the message
     *     has the reason
     */
    public static Signer named(String name, SigningKey key) {
        if (name.equals(JAVA)) {
            return key.javaSigner();
        }
        for (SignerProvider provider :
                ProviderSearch.installed(SignerProvider.class).providers()) {
            if (provider.name().equals(name)) {
                Opening<Signer> opening = open(provider, key);
                if (opening instanceof Opening.Opened<Signer> opened) {
                    return opened.value();
                }
                String reason = opening instanceof Opening.Absent<Signer> absent
                        ? absent.reason()
                        : ((Opening.Failed<Signer>) opening).reason();
                throw new IllegalArgumentException(name + " cannot sign: " + reason);
            }
        }
        throw new IllegalArgumentException("no signer provider " + name);
    }

    /** Returns what the process's choice found, one finding per provider, for the operator's log. */
    public static List<ProviderFinding> findings() {
        return ProcessChoice.CHOICE.findings();
    }

    static Choice choose(Installed<SignerProvider> installed) {
        List<Candidate<Optional<SignerProvider>>> candidates = new ArrayList<>();
        for (SignerProvider provider : installed.providers()) {
            candidates.add(new Candidate<>(
                    provider.name(), provider.signaturesPerSecond(), () -> SignerSelfTest.test(provider)));
        }
        candidates.add(new Candidate<>(
                JAVA, 0, () -> new Opening.Opened<>(Optional.empty(), "Java on Bouncy Castle's field arithmetic")));
        Result<Optional<SignerProvider>> result = ProviderSearch.search(candidates, installed.failures(), name -> true);
        return new Choice(result.value().orElseThrow(), result.findings());
    }

    private static Choice logged(Choice choice) {
        for (ProviderFinding finding : choice.findings()) {
            if (finding.isFault()) {
                LOGGER.log(System.Logger.Level.WARNING, "signer {0}", finding);
            }
        }
        return choice;
    }

    static Opening<Signer> open(SignerProvider provider, SigningKey key) {
        byte[] scalar = BigIntegers.asUnsignedByteArray(SigningKey.SCALAR_LENGTH, key.d());
        try {
            return provider.open(key.verificationKey(), scalar);
        } finally {
            Arrays.fill(scalar, (byte) 0);
        }
    }
}
