package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A script that is wrong fails with its file, its line, and what was expected there. */
class ScriptReaderTest {
    private static final List<String> START = List.of(
            "replica 1 of 4",
            "start",
            "    out start STATUS 200",
            "    out view v0 primary 0",
            "    out all STATUS v0 active stable n0 delivered n0");

    private static void run(String... lines) {
        List<String> text = new java.util.ArrayList<>(START);
        text.addAll(List.of(lines));
        Script.run("file.txt", text);
    }

    @Test
    void shouldAcceptCommentsAndBlankLinesAndAnyIndentation() {
        run("", "# the first batch", "in batch a", "out  start  REQUEST 2000", "\tout to 0 BATCH-ACK a");
    }

    @Test
    void shouldNameTheLineTheExpectedAndTheGotOutput() {
        assertThatThrownBy(() -> run("in batch a", "out start REQUEST 2000", "out to 2 BATCH-ACK a"))
                .hasMessageStartingWith("file.txt:8: 'in batch a' leads to another output")
                .hasMessageContaining("expected: to 2 BATCH-ACK a")
                .hasMessageContaining("got:      to 0 BATCH-ACK a");
    }

    @Test
    void shouldNameTheOutputThatIsMissing() {
        assertThatThrownBy(
                        () -> run("in batch a", "out start REQUEST 2000", "out to 0 BATCH-ACK a", "out stop REQUEST"))
                .hasMessageStartingWith("file.txt:9: 'in batch a' has no more output")
                .hasMessageContaining("expected: stop REQUEST");
    }

    @Test
    void shouldListTheOutputsThatTheScriptDoesNot() {
        assertThatThrownBy(() -> run("in batch a", "out start REQUEST 2000", "in batch b"))
                .hasMessageStartingWith("file.txt:6: 'in batch a' has outputs that the script does not list")
                .hasMessageContaining("to 0 BATCH-ACK a");
        assertThatThrownBy(() -> run("in batch a"))
                .as("at the end of the file too")
                .hasMessageStartingWith("file.txt:6: ")
                .hasMessageContaining("start REQUEST 2000");
    }

    @Test
    void shouldCompareTheStateInEveryPart() {
        assertThatThrownBy(() -> run("is NORMAL v0 delivered n0 stable n0 pending 1"))
                .hasMessageStartingWith("file.txt:6: the replica is in another state")
                .hasMessageContaining("expected: is NORMAL v0 delivered n0 stable n0 pending 1")
                .hasMessageContaining("got:      is NORMAL v0 delivered n0 stable n0 pending 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "in 2 PREPARE n1 [a]@1000 | has 'n1' instead of a view, v<number>",
                "in 2 PREPARE v0 n1 | ends where it must name a proposal",
                "in 2 PREPARE v0 nx [a]@1000 | has 'nx' instead of a sequence, n<number>",
                "in 2 PREPARE v0 n1 [a] | ends where it must name @<block time>",
                "in 2 PREPARE v0 n1 [a]1000 | has '1000' instead of @<block time>",
                "in 2 PREPARE v0 n1 [a]@1000 now | goes on after its end with 'now'",
                "in 2 PROMISE v0 n1 | has 'PROMISE', which is no kind of message",
                "in X | has 'X' instead of a sender or the name of a message",
                "in 2 VIEW-CHANGE v1 n4 good by 0;1 | has '0;1' instead of signers, replicas with commas",
                "in 1 NEW-VIEW v1 of X proposes | has 'X', which no line before defines as a VIEW-CHANGE",
                "in timer ALARM | has 'ALARM', which is no timer",
                "in 2 PREPARE v0 n1 [a]@1000/v0 | must be written 'in 2 PREPARE v0 n1 [a]@1000'",
                "record VOTED v0 | has 'VOTED', which is no kind of record",
                "replica 1 of 4 with blocks=1 | has 'blocks', which is no setting",
                "replica 1 of 4 with block | has 'block' instead of <setting>=<number>",
                "expect nothing | begins with 'expect', which is no verb"
            })
    void shouldSayWhatItDoesNotUnderstand(String line, String fact) {
        assertThatThrownBy(() -> run(line))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("file.txt:6: the line ")
                .hasMessageContaining(fact)
                .hasMessageEndingWith(": " + line);
    }

    @Test
    void shouldRefuseAnInputBeforeThereIsAReplica() {
        assertThatThrownBy(() -> Script.run("file.txt", List.of("in batch a")))
                .hasMessageContaining("stands before 'replica <id> of <n>'");
        assertThatThrownBy(() -> Script.run("file.txt", List.of("# nothing")))
                .hasMessage("file.txt: the script has no line");
    }

    /** A stop must be the stop that the script names. */
    @Test
    void shouldCompareWhyTheReplicaStops() {
        String[] stopping = {"in 0 CHECKPOINT n4 a", "in 2 CHECKPOINT n4 b", "in 3 CHECKPOINT n4 c"};

        run(stopping[0], stopping[1], stopping[2], "out stops no result of sequence 4 can be certified");
        assertThatThrownBy(() -> run(stopping[0], stopping[1], stopping[2], "out stops no result of sequence 8"))
                .hasMessageStartingWith("file.txt:9: 'in 3 CHECKPOINT n4 c' leads to another output");
    }
}
