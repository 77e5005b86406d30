package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachinePathsTest {
    @Test
    void shouldNoticeFoldersOfOneMachine() {
        assertThat(MachinePaths.offences(TextFile.of("a/A.java", "\"/tmp/node0\"\n\"/home/me/x\" + \"/root/.m2\"")))
                .extracting(Offence::toString)
                .containsExactly(
                        "a/A.java:1: names /tmp/node0", "a/A.java:2: names /home/me", "a/A.java:2: names /root/.m2");
    }

    @Test
    void shouldAllowRelativeFoldersAndOtherRoots() {
        assertThat(MachinePaths.offences(
                        TextFile.of("a/A.java", "perf/target/work/x /proc/stat target/tmp/y /usr/bin")))
                .isEmpty();
    }
}
