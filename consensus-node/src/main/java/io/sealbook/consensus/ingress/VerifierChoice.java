package io.sealbook.consensus.ingress;

import io.sealbook.consensus.config.ConfigException;
import io.sealbook.crypto.ProviderFinding;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
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
    public static SignatureVerifier of(VerifierSettings settings) {
        SignatureProviders.Choice choice;
        try {
            choice = SignatureProviders.choose(settings);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("node.properties: " + e.getMessage(), e);
        }
        for (ProviderFinding finding : choice.findings()) {
            log.atLevel(finding.isFault() ? Level.WARN : Level.INFO).log("verifier: {}", finding);
        }
        return choice.verifier();
    }
}
