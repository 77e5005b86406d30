package io.sealbook.consensus.ingress;

import io.sealbook.consensus.config.ConfigException;
import io.sealbook.crypto.ProviderFinding;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.VerifierSettings;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The choice of a provider of signature verification, with a line in the log for each provider that was considered. */
public final class VerifierChoice {
    private static final Logger log = LoggerFactory.getLogger(VerifierChoice.class);

    private VerifierChoice() {}

    /**
     * Returns the verifier that the settings choose; the caller closes it.
     *
     * @throws ConfigException if a provider refuses its settings, or the settings name a provider that does not exist
     */
    public static SignatureProviders.Choice of(VerifierSettings settings) {
        return logged(() -> SignatureProviders.choose(settings));
    }

    /**
     * Returns the fastest verifier but one; the caller closes it.
     *
     * @param provider the one left out
     * @param settings of all providers
     */
    public static SignatureProviders.Choice beside(String provider, VerifierSettings settings) {
        return logged(() -> SignatureProviders.chooseBeside(provider, settings));
    }

    /** Returns the findings that an operator can mend, each in a line. */
    static List<String> faults(SignatureProviders.Choice choice) {
        return choice.findings().stream()
                .filter(ProviderFinding::isFault)
                .map(ProviderFinding::toString)
                .toList();
    }

    private static SignatureProviders.Choice logged(Supplier<SignatureProviders.Choice> choosing) {
        SignatureProviders.Choice choice;
        try {
            choice = choosing.get();
        } catch (IllegalArgumentException e) {
            throw new ConfigException("node.properties: " + e.getMessage(), e);
        }
        for (ProviderFinding finding : choice.findings()) {
            log.atLevel(finding.isFault() ? Level.WARN : Level.INFO).log("verifier: {}", finding);
        }
        return choice;
    }
}
