package io.sealbook.client.reports;

import io.grpc.Status;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.NoAgreementException;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.EngineEvents;
import io.sealbook.client.connection.EngineLink;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.protocol.v1.BlockReportsFrame;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Turns the streams of several engines into one. One engine, the sender, sends the reports of each block, the others
 * digests over them. A block passes when enough engines vouch for the same reports and one has sent them, and in
 * sequence only. An engine that runs ahead of the others, or of the listener, is granted no more frames. Loop thread
 * only.
 */
final class ReportMerger implements EngineEvents {
    private static final System.Logger log = System.getLogger(ReportMerger.class.getName());

    /** Bytes of a block's runs from which on an engine gets no frame unless f others bear out that it is so long. */
    static final long BLOCK_BYTES_MAX = 64 << 20;

    private final int brokerId;
    private final IntSupplier needed;
    private final SenderPatience patience;
    private final ClientLoop loop;
    private final ReportDispatcher dispatcher;
    private final ClientCounters counters;
    private final long blockBytesMax;
    private final EngineSource[] sources;
    /** What engines say about their last report, until enough of them have. */
    private final ReportsFromNow ends;

    private List<EngineLink> links = List.of();
    /** Completed with the first report when it is known. */
    private CompletableFuture<Long> begun = new CompletableFuture<>();
    /** Fails once too few engines keep the next report. */
    private final CompletableFuture<Void> lost = new CompletableFuture<>();
    /** What engines say that do not keep the next report any more, by node id. */
    private final Map<Integer, String> refusals = new TreeMap<>();
    /** The link whose engine sends reports, by position. */
    private int sender;
    /** First report of the next block to be agreed on, or of the rest of it. */
    private long next;
    /** The agreed block whose reports are being delivered. */
    private Optional<RunReports> agreed = Optional.empty();

    ReportMerger(
            ReportConfig config,
            ClientLoop loop,
            ReportDispatcher dispatcher,
            ClientCounters counters,
            long blockBytesMax) {
        this.brokerId = config.brokerId();
        this.next = config.firstReport();
        this.needed = config.needed();
        this.ends = new ReportsFromNow(needed);
        this.patience = new SenderPatience(config.patienceNs());
        this.loop = loop;
        this.dispatcher = dispatcher;
        this.counters = counters;
        this.sources = new EngineSource[config.engineCapacity()];
        this.blockBytesMax = blockBytesMax;
        Arrays.setAll(sources, i -> new EngineSource(blockBytesMax));
    }

    /**
     * Begins to follow engines.
     *
     * @param allLinks in the order of nodes; engines come and go at its end
     * @param known completed with the report with which the delivery begins
     */
    void start(List<EngineLink> allLinks, CompletableFuture<Long> known) {
        links = allLinks;
        begun = known;
        sender = links.isEmpty() ? 0 : Integer.remainderUnsigned(brokerId, links.size());
        if (next != ReportConfig.FROM_NOW) {
            known.complete(next);
        }
        links.forEach(this::follow);
    }

    private void follow(EngineLink link) {
        if (next != ReportConfig.FROM_NOW) {
            link.open();
            return;
        }
        link.askLastReport(last -> {
            if (next == ReportConfig.FROM_NOW && links.contains(link)) {
                ends.add(link.nodeId(), last);
                beginAfterEnds();
            }
        });
    }

    private void beginAfterEnds() {
        if (next == ReportConfig.FROM_NOW && ends.isEnough(links.size())) {
            next = ends.first();
            links.forEach(EngineLink::open);
            begun.complete(next);
        }
    }

    /** Follows an engine, too: its link is the last one. */
    void added(EngineLink link) {
        forget(link);
        follow(link);
    }

    /** Forgets an engine whose link was the last one, and is closed. */
    void removed(EngineLink link) {
        forget(link);
        if (sender >= links.size() && !links.isEmpty()) {
            sender = 0;
            patience.end();
            if (next != ReportConfig.FROM_NOW) {
                sourceOf(links.get(sender)).forget(next);
                links.get(sender).restart();
            }
        }
        // Fewer engines need to say the same.
        beginAfterEnds();
        merge();
    }

    /** Forgets what an engine has vouched for: another machine is the node now. */
    void replaced(EngineLink link) {
        forget(link);
        if (next == ReportConfig.FROM_NOW) {
            follow(link);
        } else {
            link.restart();
        }
    }

    private void forget(EngineLink link) {
        sources[link.nodeId()] = new EngineSource(blockBytesMax);
        ends.forget(link.nodeId());
        refusals.remove(link.nodeId());
    }

    @Override
    public long reportsFrom(EngineLink link) {
        return sourceOf(link).begin(next);
    }

    @Override
    public boolean areDigestsEnough(EngineLink link) {
        return link != links.get(sender);
    }

    @Override
    public void onFrame(EngineLink link, BlockReportsFrame frame) {
        EngineSource source = sourceOf(link);
        source.onFrame();
        refusals.remove(link.nodeId());
        try {
            for (BlockReports reports : frame.getBlocksList()) {
                source.take(reports, next);
            }
        } catch (EngineSource.FaultException fault) {
            (fault.isGap() ? counters.reportGaps : counters.reportsIgnored).increment();
            link.reopen(fault.getMessage());
        }
        merge();
    }

    @Override
    public void onDown(EngineLink link, Status why) {
        if (why.getCode() == Status.Code.OUT_OF_RANGE) {
            refusals.put(link.nodeId(), why.getDescription());
            if (isLost()) {
                stopBefore(next);
                return;
            }
        }
        if (link == links.get(sender)) {
            moveSender();
        }
    }

    /** Returns whether too few engines are left that may keep the next report; one of those that do not is correct. */
    private boolean isLost() {
        int least = needed.getAsInt();
        boolean isDelivered = agreed.isEmpty() || !agreed.get().hasNext();
        return isDelivered && refusals.size() >= Math.max(least, links.size() - least + 1);
    }

    private void stopBefore(long sequence) {
        String fact = "which engines do not keep any more: "
                + refusals.entrySet().stream()
                        .map(each -> "engine " + each.getKey() + ": " + each.getValue())
                        .collect(Collectors.joining("; "));
        stop();
        lost.completeExceptionally(new NoAgreementException("delivery begins with report " + sequence + ", " + fact));
        dispatcher.lost(sequence, fact);
    }

    /** Fails when engines do not keep the next report any more; any thread. */
    CompletableFuture<Void> lost() {
        return lost;
    }

    /** Goes on after the dispatcher has made room. */
    void resume() {
        merge();
    }

    /** Stops following engines: there is no listener. */
    void stop() {
        links.forEach(EngineLink::close);
    }

    private void merge() {
        Optional<VouchedBlock> missing = Optional.empty();
        while (deliver()) {
            Optional<VouchedBlock> block = vouched();
            if (block.isEmpty()) {
                break;
            }
            Optional<List<byte[]>> runs = runsOf(block.get());
            if (runs.isEmpty()) {
                missing = block;
                break;
            }
            if (!begin(block.get(), runs.get())) {
                return;
            }
        }
        watchSender(missing);
        for (EngineLink link : links) {
            EngineSource source = sourceOf(link);
            while (source.mayGoOn(needed.getAsInt(), sources) && source.grant(next)) {
                link.grant();
            }
        }
    }

    /** Delivers reports of the agreed block as far as there is room; returns whether none of it is left. */
    private boolean deliver() {
        while (agreed.isPresent() && agreed.get().hasNext()) {
            if (!dispatcher.hasRoom()) {
                return false;
            }
            long sequence = agreed.get().next();
            try {
                ExecutionReport report = agreed.get().take();
                if (report.reportSequence() != sequence || report.brokerId() != brokerId) {
                    throw new IllegalArgumentException("it is report " + report.reportSequence() + " of broker "
                            + Integer.toUnsignedString(report.brokerId()));
                }
                dispatcher.offer(report);
            } catch (IllegalArgumentException e) {
                startAgain(sequence, e);
                return false;
            }
        }
        agreed = Optional.empty();
        return true;
    }

    /** Begins to deliver an agreed block, and forgets what others say about it. */
    private boolean begin(VouchedBlock block, List<byte[]> runs) {
        try {
            agreed = Optional.of(new RunReports(block, runs, next));
        } catch (IllegalArgumentException e) {
            startAgain(next, e);
            return false;
        }
        next = block.end();
        refusals.clear();
        patience.delivered();
        for (EngineLink link : links) {
            EngineSource source = sourceOf(link);
            if (source.agreesOn(block)) {
                source.drop();
            } else if (source.head().isPresent()) {
                counters.reportsIgnored.increment();
                source.forget(next);
                link.reopen("engine " + link.nodeId() + " differs from " + needed.getAsInt()
                        + " others in the block of report " + block.first());
            }
        }
        return true;
    }

    /** Returns the next block, if enough engines vouch for the same. */
    private Optional<VouchedBlock> vouched() {
        for (EngineSource candidate : sources) {
            Optional<VouchedBlock> block = candidate.head();
            if (block.isPresent() && countOf(block.get()) >= needed.getAsInt()) {
                return block;
            }
        }
        return Optional.empty();
    }

    private int countOf(VouchedBlock block) {
        int count = 0;
        for (EngineSource source : sources) {
            if (source.agreesOn(block)) {
                count++;
            }
        }
        return count;
    }

    private Optional<List<byte[]>> runsOf(VouchedBlock block) {
        for (EngineSource source : sources) {
            if (source.agreesOn(block)) {
                Optional<List<byte[]>> runs = source.head().flatMap(VouchedBlock::runs);
                if (runs.isPresent()) {
                    return runs;
                }
            }
        }
        return Optional.empty();
    }

    /** Asks another engine for reports if the sender lies, is gone, or has no time left for a block that is missing. */
    private void watchSender(Optional<VouchedBlock> missing) {
        if (missing.isEmpty()) {
            patience.end();
            return;
        }
        EngineLink link = links.get(sender);
        EngineSource source = sourceOf(link);
        if (source.head().isPresent() || link.isDown()) {
            moveSender();
            return;
        }
        VouchedBlock block = missing.get();
        if (patience.behind(block.first() + source.broughtOf(block), System.nanoTime())) {
            awaitSender(patience.number());
        }
    }

    private void awaitSender(long number) {
        loop.schedule(patience.leftNs(System.nanoTime()), () -> {
            if (!patience.isOn(number)) {
                return;
            }
            if (patience.leftNs(System.nanoTime()) > 0) {
                awaitSender(number);
                return;
            }
            patience.usedUp();
            moveSender();
            // The time of the next one begins, though nothing may come that shows that it is behind.
            merge();
        });
    }

    /** Makes the next engine that streams the sender; it begins again at the next block. */
    private void moveSender() {
        patience.end();
        int before = sender;
        for (int step = 1; step < links.size(); step++) {
            int candidate = (before + step) % links.size();
            EngineLink link = links.get(candidate);
            if (link.isStreaming()) {
                sender = candidate;
                log.log(Level.DEBUG, "engine {0} sends the reports from {1} on", link.nodeId(), next);
                sourceOf(link).forget(next);
                link.restart();
                if (links.get(before).isStreaming()) {
                    sourceOf(links.get(before)).forget(next);
                    links.get(before).restart();
                }
                return;
            }
        }
    }

    /** The engines agree on something this client cannot read, a newer schema perhaps: log it and keep asking. */
    private void startAgain(long sequence, IllegalArgumentException why) {
        String fact = "report " + sequence + " cannot be read: " + why.getMessage();
        log.log(Level.WARNING, fact);
        counters.reportsIgnored.increment();
        agreed = Optional.empty();
        next = sequence;
        for (EngineLink link : links) {
            sourceOf(link).forget(next);
            link.reopen(fact);
        }
    }

    private EngineSource sourceOf(EngineLink link) {
        return sources[link.nodeId()];
    }
}
