package io.sealbook.simulator;

import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What correct replicas do in agreement, as lines of JSON, for a check against the model of module {@code model}. The
 * first line names the cluster, each further one an event. The trace ends for a replica with its first epoch.
 *
 * <p>{@code proposal} lines name each proposal before its first use: digest, sequence, previous digest, view in which
 * it was made. Events: {@code accepted}, {@code prepared}, {@code left}, {@code entered} and {@code stable} are durable
 * records; {@code pre-prepare}, {@code prepare}, {@code commit}, {@code decision}, {@code checkpoint},
 * {@code view-change} and {@code new-view} are messages that leave; {@code delivered} is a block; {@code started} is a
 * start with the number of archived blocks.
 */
final class ProtocolTrace implements ProtocolObserver {
    private final Consumer<String> lines;
    private final int replicaCount;
    private final Set<Digest> named = new HashSet<>();
    private final Map<Integer, Set<ReplicaRecord>> durable = new HashMap<>();
    /** Replicas whose first epoch is over. */
    private final Set<Integer> ended = new HashSet<>();

    ProtocolTrace(Scenario scenario, Consumer<String> lines) {
        this.lines = lines;
        this.replicaCount = scenario.replicaCount();
        Quorum quorum = Quorum.of(scenario.replicaCount());
        String faulty = IntStream.range(0, scenario.replicaCount())
                .filter(scenario::isFaulty)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "[", "]"));
        lines.accept("{\"replicas\":%d,\"quorum\":%d,\"faulty\":%s,\"window\":%d}"
                .formatted(scenario.replicaCount(), quorum.size(), faulty, scenario.logWindow()));
    }

    @Override
    public void onDurable(int replica, ReplicaRecord record) {
        if (record instanceof ReplicaRecord.EpochBegan began && began.epoch() > 0) {
            ended.add(replica);
        }
        if (isOver(replica)
                || !durable.computeIfAbsent(replica, id -> new HashSet<>()).add(record)) {
            return;
        }
        switch (record) {
            case ReplicaRecord.Accepted accepted -> vote("accepted", replica, accepted.prePrepare());
            case ReplicaRecord.Prepared prepared -> vote("prepared", replica, prepared.view(), prepared.digest());
            case ReplicaRecord.ViewLeft left -> event("left", replica, "\"view\":" + left.newView());
            case ReplicaRecord.ViewEntered entered -> {
                // One without VIEW-CHANGEs is what the log keeps of an earlier view.
                if (!entered.newView().viewChanges().isEmpty()) {
                    newView("entered", replica, entered.newView());
                }
            }
            case ReplicaRecord.Stable stable
            when stable.certificate().sequence() > 0 ->
                event(
                        "stable",
                        replica,
                        digest(stable.certificate().proposalDigest()) + ",\"sequence\":"
                                + stable.certificate().sequence());
            default -> {}
        }
    }

    /** Returns whether the replica's first epoch is over, or it was added after that. */
    private boolean isOver(int replica) {
        return replica >= replicaCount || ended.contains(replica);
    }

    @Override
    public void onStarted(int replica, List<ReplicaRecord> records, long archived) {
        if (records.isEmpty() && durable.containsKey(replica)) {
            // A log is never lost whole: this is the member's new machine, which votes in a later epoch only.
            ended.add(replica);
        }
        records.forEach(record -> onDurable(replica, record));
        if (!isOver(replica)) {
            event("started", replica, "\"archived\":" + archived);
        }
    }

    @Override
    public void onSaid(int replica, int epoch, Message message) {
        if (message.sender() != replica || epoch > 0 || isOver(replica)) {
            return;
        }
        switch (message) {
            case PrePrepare m -> vote("pre-prepare", replica, m);
            case Prepare m -> vote("prepare", replica, m.view(), m.digest());
            case Commit m when m.isDecision() -> event("decision", replica, digest(m.digest()));
            case Commit m -> vote("commit", replica, m.view(), m.digest());
            case Checkpoint m -> event("checkpoint", replica, digest(m.proposalDigest()));
            case ViewChange m -> {
                m.prepared().forEach(certificate -> name(certificate.proposal()));
                event("view-change", replica, "\"shown\":" + viewChange(m));
            }
            case NewView m -> newView("new-view", replica, m);
            default -> {}
        }
    }

    @Override
    public void onDelivered(int replica, int epoch, Proposal proposal) {
        if (epoch == 0 && !isOver(replica)) {
            name(proposal);
            event("delivered", replica, digest(proposal.digest()));
        }
    }

    private void vote(String event, int replica, PrePrepare prePrepare) {
        name(prePrepare.proposal());
        vote(event, replica, prePrepare.view(), prePrepare.digest());
    }

    private void vote(String event, int replica, long view, Digest digest) {
        event(event, replica, "\"view\":" + view + "," + digest(digest));
    }

    private void newView(String event, int replica, NewView newView) {
        for (ViewChange viewChange : newView.viewChanges()) {
            viewChange.prepared().forEach(certificate -> name(certificate.proposal()));
        }
        newView.prePrepares().forEach(prePrepare -> name(prePrepare.proposal()));
        String shown = newView.viewChanges().stream()
                .map(ProtocolTrace::viewChange)
                .collect(Collectors.joining(",", "[", "]"));
        String proposals = newView.prePrepares().stream()
                .map(prePrepare -> text(prePrepare.digest()))
                .collect(Collectors.joining(",", "[", "]"));
        event(event, replica, "\"view\":" + newView.view() + ",\"shown\":" + shown + ",\"proposals\":" + proposals);
    }

    private static String viewChange(ViewChange viewChange) {
        return "{\"from\":%d,\"view\":%d,\"stable\":%s,\"prepared\":%s}"
                .formatted(
                        viewChange.sender(),
                        viewChange.newView(),
                        text(viewChange.stableCertificate().proposalDigest()),
                        viewChange.prepared().stream()
                                .map(ProtocolTrace::certificate)
                                .collect(Collectors.joining(",", "[", "]")));
    }

    private static String certificate(PreparedCertificate certificate) {
        return "{\"view\":%d,%s}".formatted(certificate.view(), digest(certificate.digest()));
    }

    private void name(Proposal proposal) {
        if (named.add(proposal.digest())) {
            lines.accept("{\"event\":\"proposal\",%s,\"sequence\":%d,\"previous\":%s,\"view\":%d}"
                    .formatted(
                            digest(proposal.digest()),
                            proposal.sequence(),
                            text(proposal.previous()),
                            proposal.view()));
        }
    }

    private void event(String event, int replica, String facts) {
        lines.accept("{\"event\":\"%s\",\"replica\":%d,%s}".formatted(event, replica, facts));
    }

    private static String digest(Digest digest) {
        return "\"digest\":" + text(digest);
    }

    private static String text(Digest digest) {
        return '"' + digest.toString() + '"';
    }
}
