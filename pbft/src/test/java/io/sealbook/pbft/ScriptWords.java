package io.sealbook.pbft;

import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The words of a script and the values they mean: reads messages, records and certificates, and writes them in the same
 * words. Everything that a member signs is signed with its key. {@code pbft/doc/scripts.md} has the grammar.
 */
final class ScriptWords {
    private static final long CHAIN_ID = TestCluster.CHAIN_ID;
    private static final Epoch EPOCH = TestCluster.EPOCH;
    private static final long MS = TestCluster.MS;
    private final int self;
    private final int replicaCount;
    private final Map<Digest, String> names = new LinkedHashMap<>();
    final ScriptChain chain = new ScriptChain();
    final ScriptBatches batches = new ScriptBatches();
    private final Map<Message, String> messageNames = new LinkedHashMap<>();
    private final Map<String, Message> messages = new LinkedHashMap<>();

    ScriptWords(int self, int replicaCount) {
        this.self = self;
        this.replicaCount = replicaCount;
    }

    // Values.

    private Digest named(Digest digest, String name) {
        names.putIfAbsent(digest, name);
        return digest;
    }

    private String name(Digest digest) {
        return names.getOrDefault(digest, digest.toString());
    }

    /** Returns the outcome {@code chain} or {@code chain.result} of a block. */
    Outcome outcome(String name, long sequence) {
        String chain = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
        String result = name.substring(name.indexOf('.') + 1);
        return new Outcome(
                chainHash(chain, sequence),
                named(Digest.sha256(("result " + result + " " + sequence).getBytes(StandardCharsets.UTF_8)), result));
    }

    Digest chainHash(String name, long sequence) {
        return named(Digest.sha256(("chain " + name + " " + sequence).getBytes(StandardCharsets.UTF_8)), name);
    }

    String text(Outcome outcome) {
        String chain = name(outcome.chainHash());
        String result = name(outcome.resultDigest());
        return chain.equals(result) ? chain : chain + "." + result;
    }

    Proposal proposal(ScriptLine line, long sequence) {
        String opening = line.word("a proposal");
        if (!opening.equals("[")) {
            throw line.fault("has '" + opening + "' instead of a proposal");
        }
        List<SessionEnd> ends = new ArrayList<>();
        while (!line.take("]")) {
            ends.add(batches.end(line.word("a batch or ']'")));
        }
        String[] origin = line.word("@<block time>").split("/v", 2);
        if (!origin[0].matches("@\\d+") || origin.length == 2 && !origin[1].matches("\\d+")) {
            throw line.fault("has '" + String.join("/v", origin) + "' instead of @<block time> or @<time>/v<view>");
        }
        long view = origin.length == 1 ? 0 : Long.parseLong(origin[1]);
        Digest previous = line.take("after") ? proposal(line, sequence - 1).digest() : chain.before(sequence);
        return known(new Proposal(view, sequence, Long.parseLong(origin[0].substring(1)) * MS, previous, ends));
    }

    /** Notes a proposal that the script names or the replica makes. */
    private Proposal known(Proposal proposal) {
        chain.add(proposal.sequence(), proposal.digest());
        named(proposal.digest(), text(proposal));
        return proposal;
    }

    String text(Proposal proposal) {
        return "["
                + batches.text(proposal.ends())
                + "]@"
                + proposal.blockTimeNs() / MS
                + (proposal.view() == 0 ? "" : "/v" + proposal.view())
                + (proposal.previous().equals(chain.before(proposal.sequence()))
                        ? ""
                        : " after " + name(proposal.previous()));
    }

    private static List<ReplicaSignature> signatures(List<Integer> signers, java.util.function.IntFunction<byte[]> of) {
        return signers.stream()
                .map(signer -> new ReplicaSignature(signer, sign(signer, of.apply(signer))))
                .toList();
    }

    private static Signature sign(int signer, byte[] signedBytes) {
        return Signature.of(TestCluster.signerOf(signer).sign(signedBytes));
    }

    private static String signers(List<ReplicaSignature> signatures) {
        return signatures.isEmpty()
                ? "-"
                : signatures.stream()
                        .map(signature -> Integer.toString(signature.replica()))
                        .collect(Collectors.joining(","));
    }

    StableCertificate stable(ScriptLine line) {
        if (line.take("genesis")) {
            return StableCertificate.GENESIS;
        }
        long sequence = line.number("n", "'genesis' or a sequence");
        Outcome outcome = outcome(line.word("an outcome"), sequence);
        line.expect("by");
        Digest proposal = chain.at(sequence);
        byte[] signedBytes =
                Checkpoint.signedBytes(CHAIN_ID, sequence, outcome.chainHash(), outcome.resultDigest(), proposal);
        return new StableCertificate(
                sequence,
                outcome.chainHash(),
                outcome.resultDigest(),
                proposal,
                signatures(line.replicas("signers"), signer -> signedBytes));
    }

    String text(StableCertificate certificate) {
        return certificate.sequence() == 0
                ? "genesis"
                : "n" + certificate.sequence() + " " + text(certificate.outcome()) + " by "
                        + signers(certificate.signatures());
    }

    private PrePrepare prePrepare(long view, long sequence, Proposal proposal, int sender) {
        byte[] signedBytes = PrePrepare.signedBytes(EPOCH, view, sequence, proposal.digest(), sender);
        return new PrePrepare(view, sequence, proposal, sender, sign(sender, signedBytes));
    }

    private List<ReplicaSignature> prepares(long view, long sequence, Digest digest, List<Integer> signers) {
        return signatures(signers, signer -> Prepare.signedBytes(EPOCH, view, sequence, digest, signer));
    }

    // Messages.

    /** Gives a message a name, by which it is read and written from here on. */
    void define(String name, Message message) {
        messages.put(name, message);
        messageNames.put(message, name);
    }

    /** Reads the name of a message, or its sender, kind and content. */
    Message message(ScriptLine line) {
        String first = line.word("a message");
        if (messages.containsKey(first)) {
            return messages.get(first);
        }
        if (!first.matches("-?\\d+")) {
            throw line.fault("has '" + first + "' instead of a sender or the name of a message");
        }
        return message(line, Integer.parseInt(first));
    }

    private Message message(ScriptLine line, int sender) {
        String kind = line.word("a kind of message");
        return switch (kind) {
            case "PRE-PREPARE" -> {
                long view = line.number("v", "a view");
                long sequence = line.number("n", "a sequence");
                long content = line.take("for") ? line.number("n", "the proposal's sequence") : sequence;
                yield prePrepare(view, sequence, proposal(line, content), sender);
            }
            case "PREPARE" -> {
                long view = line.number("v", "a view");
                long sequence = line.number("n", "a sequence");
                Digest digest = proposal(line, sequence).digest();
                byte[] signedBytes = Prepare.signedBytes(EPOCH, view, sequence, digest, sender);
                yield new Prepare(view, sequence, digest, sender, sign(sender, signedBytes));
            }
            case "COMMIT" -> {
                long view = line.take("decided") ? Commit.DECIDED_VIEW : line.number("v", "'decided' or a view");
                long sequence = line.number("n", "a sequence");
                yield new Commit(view, sequence, proposal(line, sequence).digest(), sender);
            }
            case "CHECKPOINT" -> {
                long sequence = line.number("n", "a sequence");
                Outcome outcome = outcome(line.word("an outcome"), sequence);
                Digest proposal = chain.at(sequence);
                byte[] signedBytes = Checkpoint.signedBytes(
                        CHAIN_ID, sequence, outcome.chainHash(), outcome.resultDigest(), proposal);
                yield new Checkpoint(
                        sequence,
                        outcome.chainHash(),
                        outcome.resultDigest(),
                        proposal,
                        sender,
                        sign(sender, signedBytes));
            }
            case "CHECKPOINT-PROOF" -> new CheckpointProof(stable(line), sender);
            case "SUSPICION" -> suspicion(line.number("v", "a view"), sender);
            case "VIEW-CHANGE" -> viewChange(line, sender);
            case "NEW-VIEW" -> newView(line, sender);
            case "BATCH-ACK" ->
                new BatchAck(line.rest().stream().map(batches::end).toList(), sender);
            case "STATUS" -> {
                long view = line.number("v", "a view");
                boolean isViewActive = line.take("active");
                if (!isViewActive) {
                    line.expect("changing");
                }
                line.expect("stable");
                long stableSequence = line.number("n", "a sequence");
                line.expect("delivered");
                yield new Status(view, isViewActive, stableSequence, line.number("n", "a sequence"), sender);
            }
            default -> throw line.fault("has '" + kind + "', which is no kind of message");
        };
    }

    private static Suspicion suspicion(long view, int sender) {
        return new Suspicion(view, sender, sign(sender, Suspicion.signedBytes(EPOCH, view, sender)));
    }

    /** Returns who suspected the view before, with the view if it is a later one. */
    private static String suspecting(ReplicaRecord.ViewLeft left) {
        return left.suspicions().isEmpty()
                ? ""
                : left.suspicions().stream()
                        .map(suspicion -> suspicion.sender()
                                + (suspicion.view() == left.newView() - 1 ? "" : "/v" + suspicion.view()))
                        .collect(Collectors.joining(",", " by ", ""));
    }

    private ViewChange viewChange(ScriptLine line, int sender) {
        long newView = line.number("v", "a view");
        StableCertificate stable = stable(line);
        List<PreparedCertificate> prepared = new ArrayList<>();
        while (line.take("(")) {
            long view = line.number("v", "a view");
            long sequence = line.number("n", "a sequence");
            Proposal proposal = proposal(line, sequence);
            line.expect("by");
            List<Integer> signers = line.replicas("signers");
            line.expect(")");
            int primary = (int) Math.floorMod(view, (long) replicaCount);
            prepared.add(new PreparedCertificate(
                    prePrepare(view, sequence, proposal, primary),
                    prepares(view, sequence, proposal.digest(), signers)));
        }
        byte[] signedBytes = ViewChange.signedBytes(EPOCH, newView, stable, prepared, sender);
        return new ViewChange(newView, stable, prepared, sender, sign(sender, signedBytes));
    }

    private NewView newView(ScriptLine line, int sender) {
        long view = line.number("v", "a view");
        line.expect("of");
        List<ViewChange> viewChanges = new ArrayList<>();
        while (!line.take("proposes")) {
            String name = line.word("a VIEW-CHANGE or 'proposes'");
            if (!(messages.get(name) instanceof ViewChange viewChange)) {
                throw line.fault("has '" + name + "', which no line before defines as a VIEW-CHANGE");
            }
            viewChanges.add(viewChange);
        }
        List<PrePrepare> prePrepares = new ArrayList<>();
        while (line.take("(")) {
            long sequence = line.number("n", "a sequence");
            prePrepares.add(prePrepare(view, sequence, proposal(line, sequence), sender));
            line.expect(")");
        }
        byte[] signedBytes = NewView.signedBytes(EPOCH, view, viewChanges, prePrepares, sender);
        return new NewView(view, viewChanges, prePrepares, sender, sign(sender, signedBytes));
    }

    /** Returns the name of the message, or its content after its sender if that is another than the replica itself. */
    String text(Message message) {
        if (messageNames.containsKey(message)) {
            return messageNames.get(message);
        }
        return (message.sender() == self ? "" : message.sender() + " ") + content(message);
    }

    private String content(Message message) {
        return switch (message) {
            case PrePrepare m -> {
                // The replica's own proposals get their names here.
                known(m.proposal());
                String other = m.proposal().sequence() == m.sequence()
                        ? ""
                        : " for n" + m.proposal().sequence();
                yield "PRE-PREPARE v" + m.view() + " n" + m.sequence() + other + " " + text(m.proposal());
            }
            case Prepare m -> "PREPARE v" + m.view() + " n" + m.sequence() + " " + name(m.digest());
            case Commit m ->
                "COMMIT " + (m.isDecision() ? "decided" : "v" + m.view()) + " n" + m.sequence() + " "
                        + name(m.digest());
            case Checkpoint m -> "CHECKPOINT n" + m.sequence() + " " + text(m.outcome());
            case CheckpointProof m -> "CHECKPOINT-PROOF " + text(m.certificate());
            case Suspicion m -> "SUSPICION v" + m.view();
            case ViewChange m ->
                "VIEW-CHANGE v" + m.newView() + " " + text(m.stableCertificate())
                        + m.prepared().stream().map(this::text).collect(Collectors.joining());
            case NewView m ->
                "NEW-VIEW v" + m.view() + " of "
                        + m.viewChanges().stream().map(this::text).collect(Collectors.joining(" ")) + " proposes"
                        + m.prePrepares().stream()
                                .map(prePrepare ->
                                        " (n" + prePrepare.sequence() + " " + text(prePrepare.proposal()) + ")")
                                .collect(Collectors.joining());
            case BatchAck m -> "BATCH-ACK " + batches.text(m.ends());
            case Arrivals m ->
                "ARRIVALS "
                        + batches.text(m.arrivals().stream().map(Arrival::batch).toList());
            case Status m ->
                "STATUS v" + m.view() + (m.isViewActive() ? " active" : " changing") + " stable n" + m.stableSequence()
                        + " delivered n" + m.lastDelivered();
        };
    }

    private String text(PreparedCertificate certificate) {
        return " (v" + certificate.view() + " n" + certificate.sequence() + " " + text(certificate.proposal()) + " by "
                + signers(certificate.prepares()) + ")";
    }

    // Records.

    ReplicaRecord record(ScriptLine line) {
        String kind = line.word("a kind of record");
        return switch (kind) {
            case "ACCEPTED" -> {
                long view = line.number("v", "a view");
                long sequence = line.number("n", "a sequence");
                int primary = (int) (view % replicaCount);
                yield new ReplicaRecord.Accepted(prePrepare(view, sequence, proposal(line, sequence), primary));
            }
            case "PREPARED" -> {
                long view = line.number("v", "a view");
                long sequence = line.number("n", "a sequence");
                Digest digest = proposal(line, sequence).digest();
                line.expect("by");
                yield new ReplicaRecord.Prepared(
                        view, sequence, digest, prepares(view, sequence, digest, line.replicas("signers")));
            }
            case "LEFT" -> {
                long newView = line.number("v", "a view");
                List<Integer> suspecting = line.take("by") ? line.replicas("replicas") : List.of();
                yield new ReplicaRecord.ViewLeft(
                        newView,
                        suspecting.stream()
                                .map(replica -> suspicion(newView - 1, replica))
                                .toList());
            }
            case "ENTERED" -> {
                if (!(message(line) instanceof NewView newView)) {
                    throw line.fault("names no NEW-VIEW");
                }
                yield new ReplicaRecord.ViewEntered(newView);
            }
            case "STABLE" -> new ReplicaRecord.Stable(stable(line));
            case "ISOLATED" -> {
                long sequence = line.number("n", "a checkpoint");
                line.expect("own");
                Outcome own = outcome(line.word("an outcome"), sequence);
                line.expect("agreed");
                yield new ReplicaRecord.Isolated(sequence, own, outcome(line.word("an outcome"), sequence));
            }
            case "ISOLATION-ENDED" -> new ReplicaRecord.IsolationEnded(line.number("n", "a checkpoint"));
            default -> throw line.fault("has '" + kind + "', which is no kind of record");
        };
    }

    String text(ReplicaRecord record) {
        return switch (record) {
            case ReplicaRecord.Accepted r -> {
                PrePrepare accepted = r.prePrepare();
                known(accepted.proposal());
                yield "ACCEPTED v" + accepted.view() + " n" + accepted.sequence() + " " + text(accepted.proposal());
            }
            case ReplicaRecord.Prepared r ->
                "PREPARED v" + r.view() + " n" + r.sequence() + " " + name(r.digest()) + " by " + signers(r.prepares());
            case ReplicaRecord.ViewLeft r -> "LEFT v" + r.newView() + suspecting(r);
            case ReplicaRecord.ViewEntered r -> "ENTERED " + text(r.newView());
            case ReplicaRecord.Stable r -> "STABLE " + text(r.certificate());
            case ReplicaRecord.Isolated r ->
                "ISOLATED n" + r.checkpoint() + " own " + text(r.own()) + " agreed " + text(r.agreed());
            case ReplicaRecord.IsolationEnded r -> "ISOLATION-ENDED n" + r.checkpoint();
            case ReplicaRecord.EpochBegan r -> "EPOCH-BEGAN " + r.epoch() + " after " + text(r.origin());
        };
    }

    // Outputs.

    /** Returns an output as a script writes it; a refusal of {@code input} itself does not repeat the message. */
    String text(Output output, Message input) {
        return switch (output) {
            case Output.Persist o -> "persist " + text(o.record());
            case Output.Send o -> "to " + o.to() + " " + text(o.message());
            case Output.Broadcast o -> "all " + text(o.message());
            case Output.Deliver o -> "deliver n" + o.proposal().sequence() + " " + text(o.proposal());
            case Output.StartTimer o -> "start " + o.timer() + " " + o.delayNs() / MS;
            case Output.StopTimer o -> "stop " + o.timer();
            case Output.Fetch o ->
                "fetch " + o.ranges().stream().map(batches::text).collect(Collectors.joining(" ")) + " from "
                        + o.holders().stream().map(String::valueOf).collect(Collectors.joining(","))
                        + (o.isNamed() ? "" : " unnamed");
            case Output.ShowEvidence o -> "show-evidence " + o.to() + " " + o.sessionKey();
            case Output.DoubleVoted o -> "double-voted " + o.evidence();
            case Output.TransferState o -> "transfer " + text(o.target());
            case Output.StableCheckpoint o -> "stable " + text(o.certificate());
            case Output.Drop o -> "drop " + batches.text(o.batches());
            case Output.ViewEntered o -> "view v" + o.view() + " primary " + o.primary();
            case Output.Isolated o ->
                "isolated n" + o.sequence() + " own " + text(o.own()) + " agreed " + text(o.agreed());
            case Output.Ignored o -> "ignored " + o.reason() + (o.message() == input ? "" : " " + text(o.message()));
        };
    }
}
