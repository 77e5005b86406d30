package io.sealbook.client.broker;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ChannelFactory;
import io.sealbook.client.Checkpointer;
import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.OutboxException;
import io.sealbook.client.ReportAgreement;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.BoundedTime;
import io.sealbook.client.connection.LinkConfig;
import io.sealbook.client.membership.ProofFile;
import io.sealbook.client.outbox.BrokerOutbox;
import io.sealbook.client.proof.MembershipJudge;
import io.sealbook.client.proof.ProvenMembers;
import io.sealbook.client.reports.ReportConfig;
import io.sealbook.client.submission.SessionRange;
import io.sealbook.client.submission.SessionTerms;
import io.sealbook.client.submission.SubmissionConfig;
import io.sealbook.crypto.Signer;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.vocabulary.BatchView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Says who the broker is and how its client shall behave; what is not said has the default given at its method. A time
 * above 1,000 days is one of 1,000 days.
 */
public final class BrokerClientBuilder {
    private static final int HOME_BY_BROKER = -1;
    private static final long FROM_CHECKPOINT = -1;

    GenesisFile genesis;
    /** Null before {@link #connect}. */
    ProvenMembers members;

    Signer signer;
    int brokerId;
    int keyId = 1;
    int homeNode = HOME_BY_BROKER;
    ExecutionReportListener listener;
    ReportAgreement agreement = ReportAgreement.quorum();
    Checkpointer checkpointer;
    int reportQueueMax = 8_192;
    Duration reportPatience = Duration.ofSeconds(1);
    Duration connectTimeout = Duration.ofSeconds(10);
    Duration closeTimeout = Duration.ofSeconds(10);
    /** Limit of the first round of a question to engines; a test has less time. */
    Duration firstQuestionRound = Duration.ofSeconds(2);

    /** A node reads a proof from its archive, behind others that wait; a test has less time. */
    Duration firstProofTimeout = Duration.ofSeconds(10);

    private long reportsFrom = FROM_CHECKPOINT;
    private ChannelFactory channels = ChannelFactory.plaintext();
    private Path membershipProof;
    private Path keptProof;
    private SessionRange sessions = new SessionRange(0, 0);
    private boolean isReadOnly;
    private Path outbox;
    private int batchSizeMax = 30;
    private Duration batchDelay = Duration.ofMillis(2);
    private int inFlightMax = 1_024;
    private Duration submitTimeout = Duration.ofSeconds(10);
    private long validityBlocks = 1_000;
    private int timeToLive;
    private int signingThreads = Runtime.getRuntime().availableProcessors();
    private Duration receiptTimeout;
    private Duration backoffMin = Duration.ofMillis(100);
    private Duration backoffMax = Duration.ofSeconds(5);
    private Duration probeInterval = Duration.ofSeconds(2);
    private Duration probeTimeout = Duration.ofSeconds(2);

    BrokerClientBuilder() {}

    /** Takes broker, key, signer, genesis file, membership proof and TLS from a directory. */
    public BrokerClientBuilder directory(BrokerDirectory directory) {
        return keepMembershipProof(directory.membershipProof())
                .genesis(directory.genesis())
                .brokerId(directory.brokerId())
                .keyId(directory.keyId())
                .signer(directory.signer())
                .channels(directory.channels());
    }

    /** The cluster: its nodes, their addresses, the instruments, the limits. Required. */
    public BrokerClientBuilder genesis(GenesisFile value) {
        genesis = Objects.requireNonNull(value, "genesis");
        return this;
    }

    /**
     * File with a membership proof, as {@code consensus-node.jar light FILE} makes it: who the nodes are since the
     * genesis file. It may come from anybody; {@link #connect} verifies it. Without one, the default, the client begins
     * with the genesis file, and fetches the proof from any node that reports a change. The file must be there, and is
     * only read.
     */
    public BrokerClientBuilder membershipProof(Path file) {
        membershipProof = Objects.requireNonNull(file, "file");
        return this;
    }

    /**
     * File in which the client keeps the newest membership proof. It need not be there, its directory must be.
     * {@link #connect} begins with it, or with that of {@link #membershipProof} if that leads further. Whenever the
     * chain's configuration changes, the client fetches a newer proof, verifies it and replaces the file: the next
     * start finds the nodes even if all that the genesis file names are gone. Clients may share a file. None by
     * default.
     */
    public BrokerClientBuilder keepMembershipProof(Path file) {
        keptProof = Objects.requireNonNull(file, "file");
        return this;
    }

    /** Required. */
    public BrokerClientBuilder brokerId(int value) {
        brokerId = value;
        return this;
    }

    /** Which of the broker's keys signs; 1 by default. */
    public BrokerClientBuilder keyId(int value) {
        keyId = value;
        return this;
    }

    /** Signs, and must have the broker's key. Required. */
    public BrokerClientBuilder signer(Signer value) {
        signer = Objects.requireNonNull(value, "signer");
        return this;
    }

    /** Node that batches are sent to while it is healthy; by default brokerId modulo the number of nodes. */
    public BrokerClientBuilder homeNode(int nodeId) {
        require(nodeId >= 0, "homeNode " + nodeId);
        homeNode = nodeId;
        return this;
    }

    /**
     * The session to take, of this program alone; 0 by default. {@link #connect} waits while an earlier run of the
     * program has batches under way in it. Programs of one broker that run side by side must each be given another one.
     * A key signs in sessions of its own, and the client's are counted from the first one of its key: in the batches,
     * receipts and reports of a program with session 3 and key 2 the session is 19, if a key has 16.
     * {@link io.sealbook.client.MassCancelFilter#ofSession} takes that number, too.
     *
     * @param value 0 or more, below {@code sessionsPerKey} of the genesis file
     */
    public BrokerClientBuilder session(int value) {
        return sessions(value, value);
    }

    /**
     * Sessions of this program alone, in place of one: the first of them that is free is taken. So a program without an
     * outbox begins again at once while batches of its earlier run are under way. A program with an outbox goes on in
     * the session of that.
     *
     * @param first as {@link #session} says
     * @param last the same, at least {@code first}
     */
    public BrokerClientBuilder sessions(int first, int last) {
        sessions = new SessionRange(first, last);
        return this;
    }

    /**
     * Takes no session, and submits nothing: the client reads reports, books, orders, positions, terms and proofs.
     * {@link #connect} does not wait for a session, so that it may run beside any program of the broker.
     */
    public BrokerClientBuilder readOnly() {
        isReadOnly = true;
        return this;
    }

    /**
     * Directory of the client's outbox, of this client alone; created if it is missing. Signed batches are on disk
     * before they are sent. After a crash of the program the next run goes on in the same session and sends again what
     * is in no block, see {@link BrokerClient#resent()}. What became of the rest is in the reports, so that an outbox
     * is not together with {@link #reportsFromNow} without a checkpointer. Without an outbox, the default, batches are
     * in memory only.
     */
    public BrokerClientBuilder outbox(Path directory) {
        outbox = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /** Orders at which an automatic batch is closed; 30 by default, and never above the genesis file's limit. */
    public BrokerClientBuilder batchSizeMax(int orders) {
        batchSizeMax = orders;
        return this;
    }

    /**
     * After which an automatic batch is closed however few orders it has; 2 ms by default, 0 sends every order alone.
     */
    public BrokerClientBuilder batchDelay(Duration value) {
        batchDelay = BoundedTime.of(value);
        return this;
    }

    /** Batches without a result at which {@code submit} holds the caller back; 1,024 by default. */
    public BrokerClientBuilder inFlightMax(int batches) {
        inFlightMax = batches;
        return this;
    }

    /** How long {@code submit} holds the caller back before it says so; 10 s by default. */
    public BrokerClientBuilder submitTimeout(Duration value) {
        submitTimeout = BoundedTime.of(value);
        return this;
    }

    /** Blocks that a batch stays valid, counted from the highest known one; 1,000 by default. */
    public BrokerClientBuilder validityBlocks(long value) {
        validityBlocks = value;
        return this;
    }

    /**
     * How long after its signature an order may still be executed, by the time of blocks; without a limit by default.
     * New orders and replaces in a later block are refused with TIME_TO_LIVE in their reports. Cancels are executed
     * whenever they come, and so is what {@link BrokerClient#cancelAfter} sends. The broker's clock counts: if it is
     * ahead of the blocks' time, orders live so much longer.
     *
     * @param value 10 ms to 655.35 s, in steps of 10 ms
     */
    public BrokerClientBuilder validFor(Duration value) {
        long valueNs = BoundedTime.of(value).toNanos();
        long units = valueNs / BatchView.TIME_TO_LIVE_UNIT_NS;
        require(
                1 <= units && units <= BatchView.TIME_TO_LIVE_MAX && valueNs % BatchView.TIME_TO_LIVE_UNIT_NS == 0,
                "validFor " + value + ", expected PT0.01S..PT655.35S in steps of 10 ms");
        timeToLive = (int) units;
        return this;
    }

    /** Threads that encode and sign; by default one a core. */
    public BrokerClientBuilder signingThreads(int value) {
        signingThreads = value;
        return this;
    }

    /**
     * After which a batch without an agreed receipt goes to another node; by default twice the cluster's request
     * timeout.
     */
    public BrokerClientBuilder receiptTimeout(Duration value) {
        receiptTimeout = BoundedTime.of(value);
        return this;
    }

    /**
     * Bounds of the jittered delay between attempts to reach a node; 100 ms and 5 s by default.
     *
     * @param min shortest delay, above 0
     * @param max longest delay, at least {@code min}
     */
    public BrokerClientBuilder backoff(Duration min, Duration max) {
        backoffMin = BoundedTime.of(min);
        backoffMax = BoundedTime.of(max);
        require(
                min.compareTo(Duration.ZERO) > 0 && min.compareTo(max) <= 0,
                "backoff " + min + ".." + max + " is no range of positive times");
        return this;
    }

    /**
     * How often a node is asked for its state, and how long it may take to answer; 2 s each by default.
     *
     * @param interval time between two probes of a node that answers
     * @param timeout after which a node that does not answer is lost
     */
    public BrokerClientBuilder probe(Duration interval, Duration timeout) {
        probeInterval = BoundedTime.of(interval);
        probeTimeout = BoundedTime.of(timeout);
        return this;
    }

    /** How channels are opened: transport, TLS, interceptors. Unencrypted unless a directory requires TLS. */
    public BrokerClientBuilder channels(ChannelFactory value) {
        channels = Objects.requireNonNull(value, "channels");
        return this;
    }

    /** Receives the broker's execution reports; without a listener no engine is asked. */
    public BrokerClientBuilder executionReports(ExecutionReportListener value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /**
     * First report to deliver, from 1; by default the one after the checkpoint, and 1 without a checkpointer. A
     * {@link io.sealbook.client.FileCheckpointer} never goes back: it stays where it is until later reports are
     * handled.
     */
    public BrokerClientBuilder reportsFrom(long sequence) {
        require(sequence >= 1, "reportsFrom " + sequence + ", reports count from 1");
        reportsFrom = sequence;
        return this;
    }

    /**
     * Delivers only reports that are new when the client connects, and those of its own orders; {@link #connect} then
     * waits for n - f engines. With a checkpointer it counts for the first run alone, and those before are checkpointed
     * as handled: once a report was handled, or the outbox has a batch of an earlier run, reports go on after the
     * checkpoint. An outbox needs a checkpointer beside it: the last reports of an earlier run are not new.
     */
    public BrokerClientBuilder reportsFromNow() {
        reportsFrom = ReportConfig.FROM_NOW;
        return this;
    }

    /** Whom to believe about reports; f+1 engines by default. */
    public BrokerClientBuilder reportAgreement(ReportAgreement value) {
        agreement = Objects.requireNonNull(value, "agreement");
        return this;
    }

    /**
     * Remembers handled reports; the client does not close it. None by default. {@link #connect} refuses one that
     * belongs to another chain or broker.
     */
    public BrokerClientBuilder checkpointer(Checkpointer value) {
        checkpointer = Objects.requireNonNull(value, "checkpointer");
        return this;
    }

    /** Agreed reports that may wait for a slow listener; then engines are asked for no more. 8,192 by default. */
    public BrokerClientBuilder reportQueueMax(int value) {
        require(value >= 1, "reportQueueMax " + value);
        reportQueueMax = value;
        return this;
    }

    /**
     * How long the engine that sends the reports may be behind what f+1 others vouch for without sending more of them,
     * until another is asked for them; 1 s by default. An engine that sends more is left after four times this time.
     * Both times double with each engine that is left, six times at most, until reports are delivered.
     */
    public BrokerClientBuilder reportPatience(Duration value) {
        require(value.compareTo(Duration.ZERO) > 0, "reportPatience " + value);
        reportPatience = BoundedTime.of(value);
        return this;
    }

    /**
     * How long {@link #connect} waits for n-f nodes, and for a free session; 10 s by default. A read-only client waits
     * for f+1 nodes.
     */
    public BrokerClientBuilder connectTimeout(Duration value) {
        connectTimeout = BoundedTime.of(value);
        return this;
    }

    /** How long {@code close()} waits for batches in flight; 10 s by default. */
    public BrokerClientBuilder closeTimeout(Duration value) {
        closeTimeout = BoundedTime.of(value);
        return this;
    }

    /**
     * Connects and waits until batches can be sent.
     *
     * @throws IllegalArgumentException if what was said is incomplete or contradicts the genesis file, or the
     *     membership proof does not hold or needs a newer build; the message names its file and the fact
     * @throws UncheckedIOException if the file of the membership proof cannot be read
     * @throws ConnectFailedException if too few nodes answered in time, the session was not free, the chain has no such
     *     broker or key, or the outbox does not fit its session
     * @throws OutboxException if the outbox cannot be opened, or is that of another session
     */
    public BrokerClient connect() {
        Objects.requireNonNull(genesis, "genesis");
        Objects.requireNonNull(signer, "signer");
        members = provenMembers();
        int idEnd = AnswerQuorum.of(nodeCount()).capacity();
        require(homeNode < idEnd, "homeNode " + homeNode + ", ids are below " + idEnd);
        int trusted = agreement.trustedNodeId().orElse(0);
        require(trusted < idEnd, "trusted node " + trusted + ", ids are below " + idEnd);
        if (homeNode == HOME_BY_BROKER) {
            homeNode = Integer.remainderUnsigned(brokerId, nodeCount());
        }
        require(!isReadOnly || outbox == null, "a read-only client has no outbox");
        require(
                outbox == null || checkpointer != null || reportsFrom != ReportConfig.FROM_NOW,
                "reports from now leave out what became of batches of the outbox: use a checkpointer, or reportsFrom");
        if (hasKeyOfGenesis()) {
            // Such a key never changes: no node needs to be asked.
            SigningBroker.of(genesis.genesis(), brokerId, keyId, signer);
        }
        if (checkpointer != null) {
            checkpointer.bind(genesis.digest(), brokerId);
        }
        return unconnected().connect();
    }

    /** Returns a client that owns the outbox; if none can be made, the outbox is free for the next attempt. */
    private BrokerClient unconnected() {
        SessionTerms terms = isReadOnly
                ? SessionTerms.readOnly()
                : SessionTerms.open(sessions, Optional.ofNullable(outbox), genesis.genesis(), brokerId, keyId);
        try {
            return new BrokerClient(this, terms);
        } catch (RuntimeException | Error e) {
            terms.outbox().ifPresent(BrokerOutbox::close);
            throw e;
        }
    }

    boolean isReadOnly() {
        return isReadOnly;
    }

    int inFlightMax() {
        return inFlightMax;
    }

    int timeToLive() {
        return timeToLive;
    }

    /** Returns what the file leads to that leads further: the kept one may be newer than the one that is only read. */
    private ProvenMembers provenMembers() {
        ProvenMembers read =
                membershipProof == null ? ProvenMembers.of(genesis.genesis()) : provenMembers(membershipProof);
        if (keptProof == null || !Files.exists(keptProof)) {
            return read;
        }
        ProvenMembers kept = provenMembers(keptProof);
        try {
            kept.requireSameChain(read);
        } catch (IllegalArgumentException e) {
            throw refused(keptProof, e);
        }
        return Long.compareUnsigned(kept.number(), read.number()) > 0 ? kept : read;
    }

    private ProvenMembers provenMembers(Path file) {
        try {
            byte[] proof = Files.readAllBytes(file);
            return new MembershipJudge(genesis).judge(proof);
        } catch (IOException e) {
            throw new UncheckedIOException("membership proof " + file + " cannot be read", e);
        } catch (IllegalArgumentException | UnknownProtocolVersionException e) {
            throw refused(file, e);
        }
    }

    private static IllegalArgumentException refused(Path file, RuntimeException cause) {
        return new IllegalArgumentException("membership proof " + file + ": " + cause.getMessage(), cause);
    }

    Optional<ProofFile> proofFile() {
        return Optional.ofNullable(keptProof).map(file -> new ProofFile(file, new MembershipJudge(genesis)));
    }

    /** Returns the number of nodes as far as is proven. */
    int nodeCount() {
        return members.nodes().size();
    }

    /**
     * Returns the first report to deliver; FROM_NOW if engines are asked for it.
     *
     * @param isOutboxUsed whether an earlier run has left batches in the outbox
     */
    long firstReport(boolean isOutboxUsed) {
        boolean isBegun = checkpointer != null && (checkpointer.lastHandled() != 0 || isOutboxUsed);
        if (reportsFrom == FROM_CHECKPOINT || reportsFrom == ReportConfig.FROM_NOW && isBegun) {
            return checkpointer == null ? 1 : checkpointer.lastHandled() + 1;
        }
        return reportsFrom;
    }

    SubmissionConfig submissionConfig() {
        Genesis agreed = genesis.genesis();
        int validityMax = agreed.getParameters().getValidityBlocksMax();
        require(validityBlocks <= validityMax, "validityBlocks " + validityBlocks + ", admitted are 1.." + validityMax);
        long receiptTimeoutNs = receiptTimeout == null
                ? 2
                        * Duration.ofMillis(agreed.getParameters().getRequestTimeoutMs())
                                .toNanos()
                : receiptTimeout.toNanos();
        return new SubmissionConfig(
                Math.min(batchSizeMax, agreed.getParameters().getOrderCountMax()),
                batchDelay.toNanos(),
                inFlightMax,
                submitTimeout.toNanos(),
                validityBlocks,
                signingThreads,
                receiptTimeoutNs,
                backoffMax.toNanos());
    }

    LinkConfig linkConfig() {
        return new LinkConfig(
                genesis.genesis().getChainId(),
                brokerId,
                channels,
                new RoleCredentials(
                        new RoleHolder(genesis.genesis().getChainId(), Role.BROKER, brokerId, keyId, signer)),
                backoffMin.toNanos(),
                backoffMax.toNanos(),
                probeInterval.toNanos(),
                probeTimeout.toNanos());
    }

    private boolean hasKeyOfGenesis() {
        return genesis.genesis().getBrokersList().stream()
                .filter(broker -> broker.getBrokerId() == brokerId)
                .flatMap(broker -> broker.getKeysList().stream())
                .anyMatch(key -> key.getKeyId() == keyId);
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
