package io.sealbook.simulator.mutation;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Optional;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs test classes until all have run; the arguments are their names. A test that cannot be linked finds nothing: its
 * error goes to the caller.
 */
public final class TestFinder implements Finder {
    @Override
    public Optional<String> find(List<String> testClasses) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(testClasses.stream().map(name -> selectClass(name)).toList())
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, new TestExecutionListener[] {listener});
        if (listener.getSummary().getTestsFoundCount() == 0) {
            throw new IllegalArgumentException("no tests in " + testClasses);
        }
        return listener.getSummary().getFailures().stream().findFirst().map(TestFinder::fact);
    }

    private static String fact(TestExecutionSummary.Failure failure) {
        if (failure.getException() instanceof LinkageError e && !(e instanceof ExceptionInInitializerError)) {
            throw e;
        }
        return failure.getTestIdentifier().getDisplayName() + ": " + failure.getException();
    }
}
