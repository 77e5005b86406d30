package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachinePathsTest {
    /** Joined here, so that this file names no folder of a machine itself. */
    private static String absolute(String path) {
        return "/" + path;
    }

    @Test
    void shouldNoticeFoldersOfOneMachine() {
        String text = absolute("tmp/node0") + "\n" + absolute("home/me/x") + " + " + absolute("root/.m2");

        assertThat(MachinePaths.offences(TextFile.of("a/A.java", text)))
                .extracting(Offence::toString)
                .containsExactly(
                        "a/A.java:1: names " + absolute("tmp/node0"),
                        "a/A.java:2: names " + absolute("home/me"),
                        "a/A.java:2: names " + absolute("root/.m2"));
    }

    @Test
    void shouldAllowRelativeFoldersAndOtherRoots() {
        assertThat(MachinePaths.offences(
                        TextFile.of("a/A.java", "perf/target/work/x /proc/stat target/tmp/y /usr/bin")))
                .isEmpty();
    }
}
