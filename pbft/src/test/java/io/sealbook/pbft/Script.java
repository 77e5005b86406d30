package io.sealbook.pbft;

import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One replica driven by a text: each {@code in} line is an input, the {@code out} lines after it are all outputs that
 * it must have, in order. {@code pbft/doc/scripts.md} describes the format.
 */
final class Script {
    private final List<ScriptLine> lines = new ArrayList<>();
    private final List<ReplicaRecord> records = new ArrayList<>();
    private ScriptWords words;
    private Replica replica;
    private long nowNs = 1_000 * TestCluster.MS;
    private final List<Output> outputs = new ArrayList<>();
    /** What the last input led to, not yet compared. */
    private final List<String> got = new ArrayList<>();

    private ScriptLine cause;
    private Message received;

    private Script(String file, List<String> text) {
        for (int i = 0; i < text.size(); i++) {
            String line = text.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                lines.add(new ScriptLine(file, i + 1, line));
            }
        }
    }

    /**
     * Runs a script to its end.
     *
     * @param file name for messages
     * @param text its lines
     * @throws AssertionError with file and line if the script is not understood or the replica does something else
     */
    static void run(String file, List<String> text) {
        Script script = new Script(file, text);
        if (script.lines.isEmpty()) {
            throw new AssertionError(file + ": the script has no line");
        }
        for (ScriptLine line : script.lines) {
            script.run(line);
        }
        script.requireNothingLeft();
    }

    private void run(ScriptLine line) {
        String verb = line.word("a verb");
        if (!verb.equals("out")) {
            requireNothingLeft();
        }
        if (words == null && !verb.equals("replica")) {
            throw line.fault("stands before 'replica <id> of <n>'");
        }
        if (replica == null && (verb.equals("in") || verb.equals("is") || verb.equals("out"))) {
            throw line.fault("stands before 'start' or 'restore'");
        }
        switch (verb) {
            case "replica" -> configure(line);
            case "chain" -> {
                words.proposal(line, line.number("n", "a sequence"));
                line.end();
            }
            case "record" -> records.add(record(line));
            case "let" -> define(line);
            case "start" -> step(line, null, () -> replica.start(outputs));
            case "restore" -> restore(line);
            case "clock" -> {
                nowNs = line.number("", "milliseconds") * TestCluster.MS;
                line.end();
                step(line, null, () -> {});
            }
            case "in" -> in(line);
            case "out" -> out(line);
            case "is" -> is(line);
            default -> throw line.fault("begins with '" + verb + "', which is no verb");
        }
    }

    private void configure(ScriptLine line) {
        int self = (int) line.number("", "a replica");
        line.expect("of");
        int replicaCount = (int) line.number("", "the number of replicas");
        ScriptSettings settings = new ScriptSettings();
        if (line.take("with")) {
            line.rest().forEach(setting -> settings.set(line, setting));
        }
        line.end();
        words = new ScriptWords(self, replicaCount);
        replica = new Replica(settings.config(self, replicaCount), TestCluster.signerOf(self));
    }

    private ReplicaRecord record(ScriptLine line) {
        ReplicaRecord record = words.record(line);
        line.end();
        requireCanonical(line, "record " + words.text(record));
        return record;
    }

    private void define(ScriptLine line) {
        String name = line.word("a name");
        line.expect("=");
        Message message = words.message(line);
        line.end();
        String sender = line.text().split("=\\s*", 2)[1].split(" ", 2)[0];
        String text = words.text(message);
        requireCanonical(line, "let " + name + " = " + (text.startsWith(sender + " ") ? "" : sender + " ") + text);
        words.define(name, message);
    }

    /** A line that is written otherwise than the same value is written as an output would mislead the reader. */
    private static void requireCanonical(ScriptLine line, String canonical) {
        if (!line.text().replaceAll("\\s+", " ").equals(canonical)) {
            throw line.fault("must be written '" + canonical + "'");
        }
    }

    private void restore(ScriptLine line) {
        line.expect("delivered");
        long delivered = line.number("n", "the archive's last block");
        line.expect("chain");
        String chain = line.word("the name of the archive's chain");
        List<SessionEnd> heads = line.take("heads")
                ? line.rest().stream().map(words.batches::end).toList()
                : List.of();
        line.end();
        step(line, null, () -> {
            replica.restore(records, delivered, sequence -> words.chainHash(chain, sequence), heads);
            for (long sequence = replica.lowWatermark() + 1; sequence <= delivered; sequence++) {
                replica.step(new Input.BlockTransferred(sequence, words.chain.at(sequence), List.of()), outputs);
            }
        });
    }

    private void in(ScriptLine line) {
        String kind = line.word("an input");
        switch (kind) {
            case "batch" -> {
                String batch = line.word("a batch");
                String before = line.take("after") ? line.word("a batch") : ScriptBatches.before(batch);
                step(line, new Input.BatchAvailable(words.batches.end(batch), words.batches.idOrZero(before)));
            }
            case "range" -> {
                String range = line.word("a range");
                String after = line.take("after") ? line.word("a batch") : null;
                step(line, new Input.RangeAvailable(words.batches.range(range, after)));
            }
            case "withdrawn" -> {
                long sessionKey = words.batches.end(line.word("a session")).sessionKey();
                step(line, new Input.SessionWithdrawn(sessionKey));
            }
            case "connected" -> step(line, new Input.Connected((int) line.number("", "a replica")));
            case "disconnected" -> step(line, new Input.Disconnected((int) line.number("", "a replica")));
            case "timer" -> step(line, new Input.TimerFired(timer(line)));
            case "executed" -> {
                long sequence = line.number("n", "a block");
                Outcome outcome = words.outcome(line.word("an outcome"), sequence);
                step(line, new Input.Executed(sequence, outcome.chainHash(), outcome.resultDigest()));
            }
            case "block" -> {
                long sequence = line.number("n", "a block");
                Proposal proposal = words.proposal(line, sequence);
                step(line, new Input.BlockTransferred(sequence, proposal.digest(), proposal.ends()));
            }
            case "transferred" -> {
                StableCertificate certificate = words.stable(line);
                step(line, new Input.StateTransferred(certificate.sequence(), certificate.chainHash(), certificate));
            }
            default -> {
                line.back();
                received = words.message(line);
                line.end();
                String sender = line.text().split(" ")[1];
                String text = words.text(received);
                requireCanonical(line, "in " + (text.startsWith(sender) ? "" : sender + " ") + text);
                step(line, new Input.Received(received));
            }
        }
    }

    private static Timer timer(ScriptLine line) {
        String name = line.word("a timer");
        for (Timer timer : Timer.values()) {
            if (timer.name().equals(name)) {
                return timer;
            }
        }
        throw line.fault("has '" + name + "', which is no timer");
    }

    private void step(ScriptLine line, Input input) {
        line.end();
        step(line, input, () -> replica.step(input, outputs));
    }

    /** Each input has a duty cycle of its own. */
    private void step(ScriptLine line, Input input, Runnable work) {
        cause = line;
        try {
            boolean isCycle = input != null || line.text().startsWith("clock");
            if (isCycle) {
                replica.step(new Input.Clock(nowNs), outputs);
            }
            work.run();
            if (isCycle) {
                replica.step(new Input.Clock(nowNs), outputs);
            }
            outputs.forEach(this::take);
        } catch (InvariantViolation violation) {
            outputs.forEach(this::take);
            got.add("stops " + violation.getMessage());
        }
        outputs.clear();
        received = null;
    }

    private void take(Output output) {
        if (output instanceof Output.DoubleVoted) {
            return; // It changes nothing that agreement decides; WitnessTest has it.
        }
        Message said = switch (output) {
            case Output.Broadcast broadcast -> broadcast.message();
            case Output.Send send -> send.message();
            default -> null;
        };
        if (said != null && !TestCluster.isGenuine(said)) {
            throw new AssertionError(cause.place() + ": a signature does not verify: " + said);
        }
        got.add(words.text(output, received));
    }

    private void out(ScriptLine line) {
        String expected =
                String.join(" ", line.text().substring("out".length()).strip().split("\\s+"));
        if (got.isEmpty()) {
            throw new AssertionError(
                    line.place() + ": '" + cause.text() + "' has no more output\n  expected: " + expected);
        }
        boolean isStop = expected.startsWith("stops ") && got.getFirst().startsWith("stops ");
        boolean isMet = isStop
                ? got.getFirst().contains(expected.substring("stops ".length()))
                : got.getFirst().equals(expected);
        if (!isMet) {
            throw new AssertionError(line.place() + ": '" + cause.text() + "' leads to another output\n  expected: "
                    + expected + "\n  got:      " + String.join("\n            ", got));
        }
        got.removeFirst();
    }

    private void requireNothingLeft() {
        if (!got.isEmpty()) {
            throw new AssertionError(cause.place() + ": '" + cause.text()
                    + "' has outputs that the script does not list\n  " + String.join("\n  ", got));
        }
    }

    private void is(ScriptLine line) {
        String is = String.format(
                Locale.ROOT,
                "is %s v%d delivered n%d stable n%d pending %d",
                replica.state(),
                replica.view(),
                replica.lastDelivered(),
                replica.lowWatermark(),
                replica.pendingCount());
        line.rest();
        if (!line.text().replaceAll("\\s+", " ").equals(is)) {
            throw new AssertionError(line.place() + ": the replica is in another state\n  expected: " + line.text()
                    + "\n  got:      " + is);
        }
    }
}
