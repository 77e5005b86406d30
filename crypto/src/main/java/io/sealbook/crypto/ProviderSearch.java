package io.sealbook.crypto;

import io.sealbook.crypto.ProviderFinding.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Takes the fastest provider that opens, by declared rate.
 *
 * <p>A provider that throws or lacks its native library is passed over with the reason, never an error of the caller.
 * Stateless.
 */
final class ProviderSearch {
    private ProviderSearch() {}

    /**
     * A provider, as the search sees it.
     *
     * @param name name of the provider
     * @param ratePerSecond declared rate; it only ranks candidates
     * @param opening opens and tests what the provider offers; may throw
     */
    record Candidate<T>(String name, int ratePerSecond, Supplier<Opening<T>> opening) {}

    /**
     * What a search found.
     *
     * @param value what the chosen provider opened; empty if none did
     * @param findings one per provider, the fastest first
     */
    record Result<T>(Optional<T> value, List<ProviderFinding> findings) {
        /** Returns the findings in one line. */
        String description() {
            return String.join(
                    "; ", findings.stream().map(ProviderFinding::toString).toList());
        }
    }

    /**
     * What service loading found.
     *
     * @param providers usable providers
     * @param failures a finding for each provider that could not even be made
     */
    record Installed<P>(List<P> providers, List<ProviderFinding> failures) {}

    /**
     * Opens candidates in the order of their rates until one opens.
     *
     * @param candidates in any order
     * @param failures findings that come before those of the candidates
     * @param isWanted whether a provider of this name may be chosen
     */
    static <T> Result<T> search(
            List<Candidate<T>> candidates, List<ProviderFinding> failures, Predicate<String> isWanted) {
        List<Candidate<T>> ranked = new ArrayList<>(candidates);
        ranked.sort(Comparator.<Candidate<T>>comparingInt(Candidate::ratePerSecond)
                .reversed()
                .thenComparing(Candidate::name));
        List<ProviderFinding> findings = new ArrayList<>(failures);
        Opening.Opened<T> chosen = null;
        String chosenName = "";
        for (Candidate<T> candidate : ranked) {
            if (chosen != null) {
                findings.add(finding(candidate, Outcome.NOT_NEEDED, chosenName + " is faster"));
            } else if (!isWanted.test(candidate.name())) {
                findings.add(finding(candidate, Outcome.NOT_ASKED_FOR, "another provider is named"));
            } else {
                Opening<T> opening = open(candidate);
                findings.add(finding(candidate, opening));
                if (opening instanceof Opening.Opened<T> opened) {
                    chosen = opened;
                    chosenName = candidate.name();
                }
            }
        }
        if (chosen == null) {
            return new Result<>(Optional.empty(), List.copyOf(findings));
        }
        String instead = "; " + chosenName + " is used instead";
        List<ProviderFinding> complete = findings.stream()
                .map(found -> found.isFault()
                        ? new ProviderFinding(found.provider(), found.outcome(), found.detail() + instead)
                        : found)
                .toList();
        return new Result<>(Optional.of(chosen.value()), complete);
    }

    /** Returns the providers of a service that are on the class path. */
    static <P> Installed<P> installed(Class<P> service) {
        List<P> providers = new ArrayList<>();
        List<ProviderFinding> failures = new ArrayList<>();
        Iterator<P> found = ServiceLoader.load(service, ProviderSearch.class.getClassLoader())
                .iterator();
        while (true) {
            try {
                if (!found.hasNext()) {
                    return new Installed<>(providers, failures);
                }
                providers.add(found.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add(new ProviderFinding(service.getSimpleName(), Outcome.FAILED, "cannot be loaded: " + e));
            }
        }
    }

    private static <T> Opening<T> open(Candidate<T> candidate) {
        try {
            return candidate.opening().get();
        } catch (RuntimeException | LinkageError e) {
            return new Opening.Failed<>(e.toString());
        }
    }

    private static <T> ProviderFinding finding(Candidate<T> candidate, Opening<T> opening) {
        if (opening instanceof Opening.Opened<T> opened) {
            return finding(candidate, Outcome.CHOSEN, opened.description());
        }
        if (opening instanceof Opening.Absent<T> absent) {
            return finding(candidate, Outcome.ABSENT, absent.reason());
        }
        return finding(candidate, Outcome.FAILED, ((Opening.Failed<T>) opening).reason());
    }

    private static ProviderFinding finding(Candidate<?> candidate, Outcome outcome, String detail) {
        return new ProviderFinding(candidate.name(), outcome, detail);
    }
}
