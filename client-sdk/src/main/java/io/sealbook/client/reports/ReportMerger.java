package io.sealbook.client.reports;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.client.connection.EngineEvents;
import io.sealbook.client.connection.EngineLink;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.protocol.v1.ReportFrame;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * Turns the streams of several engines into one: a report passes when enough engines have sent the same bytes for its
 * sequence, and in sequence only. An engine that runs ahead of the others, or of the listener, is granted no more
 * frames. Loop thread only.
 */
final class ReportMerger implements EngineEvents {
    /**
     * Reports an engine may be ahead of the last agreed one before it must wait; a soft bound, exceeded by frames on
     * their way.
     */
    private static final int AHEAD_MAX = 4_096;

    private static final System.Logger log = System.getLogger(ReportMerger.class.getName());

    private final int brokerId;
    private final int needed;
    private final ReportDispatcher dispatcher;
    private final ClientCounters counters;
    private final Source[] sources;
    private List<EngineLink> links = List.of();
    private long next;

    /** What one engine has sent beyond the last agreed report, without gaps. */
    private static final class Source {
        final ArrayDeque<byte[]> ahead = new ArrayDeque<>();
        /** Sequence that its stream must bring next. */
        long expected;

        int framesHeld;
    }

    ReportMerger(ReportConfig config, ReportDispatcher dispatcher, ClientCounters counters) {
        this.brokerId = config.brokerId();
        this.next = config.firstReport();
        this.needed = config.quorum().needed();
        this.dispatcher = dispatcher;
        this.counters = counters;
        this.sources = new Source[config.quorum().nodeCount()];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = new Source();
        }
    }

    void start(List<EngineLink> allLinks) {
        links = allLinks;
        links.forEach(EngineLink::open);
    }

    @Override
    public long reportsFrom(EngineLink link) {
        Source source = sources[link.nodeId()];
        source.framesHeld = 0;
        source.expected = Math.max(source.expected, next);
        return source.expected;
    }

    @Override
    public void onFrame(EngineLink link, ReportFrame frame) {
        Source source = sources[link.nodeId()];
        source.framesHeld++;
        String fault = take(source, frame);
        if (!fault.isEmpty()) {
            link.reopen(fault);
        }
        merge();
    }

    /** Goes on after the dispatcher has made room. */
    void resume() {
        merge();
    }

    /** Stops following engines: there is no listener. */
    void stop() {
        links.forEach(EngineLink::close);
    }

    /** Adds a frame's reports to what the engine has sent; returns what is wrong with it, or an empty text. */
    private String take(Source source, ReportFrame frame) {
        ByteBuffer reports = frame.getReports().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        for (int offset = 0; offset < reports.limit(); ) {
            int length;
            try {
                length = ExecutionReportDecoder.length(reports, offset);
            } catch (IllegalArgumentException e) {
                counters.reportsIgnored.increment();
                return "malformed frame at " + offset + ": " + e.getMessage();
            }
            long sequence = ExecutionReportDecoder.reportSequence(reports, offset);
            if (ExecutionReportDecoder.brokerId(reports, offset) != brokerId) {
                counters.reportsIgnored.increment();
                return "report " + sequence + " is another broker's";
            }
            if (sequence > source.expected) {
                counters.reportGaps.increment();
                return "report " + sequence + " came where " + source.expected + " was expected";
            }
            if (sequence == source.expected) {
                source.expected++;
                if (sequence >= next) {
                    byte[] bytes = new byte[length];
                    reports.get(offset, bytes);
                    source.ahead.add(bytes);
                }
            }
            offset += length;
        }
        return "";
    }

    private void merge() {
        while (dispatcher.hasRoom()) {
            byte[] agreed = agreed();
            if (agreed == null) {
                break;
            }
            ExecutionReport report;
            try {
                report = ExecutionReportDecoder.decode(ByteBuffer.wrap(agreed).order(ByteOrder.LITTLE_ENDIAN), 0);
            } catch (IllegalArgumentException e) {
                startAgain("report " + next + " cannot be read: " + e.getMessage());
                break;
            }
            dispatcher.offer(report);
            next++;
            counters.reportsIgnored.add(drop(agreed));
        }
        for (EngineLink link : links) {
            Source source = sources[link.nodeId()];
            while (source.framesHeld > 0 && source.ahead.size() < AHEAD_MAX) {
                source.framesHeld--;
                link.grant();
            }
        }
    }

    /** Returns the bytes that enough engines have sent for the next sequence, or null. */
    private byte[] agreed() {
        for (Source candidate : sources) {
            byte[] bytes = candidate.ahead.peek();
            if (bytes == null) {
                continue;
            }
            int equal = 0;
            for (Source source : sources) {
                if (Arrays.equals(bytes, source.ahead.peek())) {
                    equal++;
                }
            }
            if (equal >= needed) {
                return bytes;
            }
        }
        return null;
    }

    /** Removes the agreed report from every engine's line; returns how many had said something else. */
    private int drop(byte[] agreed) {
        int different = 0;
        for (Source source : sources) {
            byte[] bytes = source.ahead.poll();
            if (bytes != null && !Arrays.equals(bytes, agreed)) {
                different++;
            }
        }
        return different;
    }

    /** The engines agree on something this client cannot read, a newer schema perhaps: say so and keep asking. */
    private void startAgain(String why) {
        log.log(Level.WARNING, why);
        counters.reportsIgnored.increment();
        for (EngineLink link : links) {
            Source source = sources[link.nodeId()];
            source.ahead.clear();
            source.expected = next;
            link.reopen(why);
        }
    }
}
