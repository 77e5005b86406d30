package io.sealbook.perf.inline;

import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessEngineProvider;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.GenesisFile;
import java.util.Map;
import org.agrona.DirectBuffer;

/** Makes engines of the matching core, whose reports are not read. Their digests are those of the separated engine. */
public final class MatchingEngineProvider implements InProcessEngineProvider {
    public static final String NAME = "matching-core";

    private static final MatchingOutput UNREAD = new MatchingOutput() {
        @Override
        public void onReport(ReportRecord report) {}

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {}
    };

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public InProcessEngine open(GenesisFile genesis, Map<String, String> settings) {
        if (!settings.isEmpty()) {
            throw new IllegalArgumentException("unknown settings " + settings.keySet());
        }
        return new CoreExecution(genesis.genesis(), UNREAD)::execute;
    }
}
