package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/**
 * Recorded days of two exchanges give the exchange's own answers; a sample day gives a reference book's, and two small
 * days the ones worked out by hand.
 */
class OracleTest {
    @Test
    void shouldMakeEveryTradeOfASmallDayMadeByHand() throws IOException {
        ShanghaiReplay day = new ShanghaiReplay(RealData.resourceLines("small-day-with-auction.csv"));

        assertThat(day.tradeCount).isEqualTo(5);
        assertThat(day.snapshotCount).isEqualTo(3);
        assertThat(day.cancelCount).isEqualTo(2);
        assertAllEqual(day);
    }

    @Test
    void shouldShowTheBookOfASmallDayMadeByHand() throws IOException {
        LobsterReplay day = new LobsterReplay(RealData.resourceLines("small-day.csv"), null);

        assertThat(day.checkCount).isEqualTo(8);
        assertThat(day.topMatchCount).isEqualTo(8);
        assertThat(day.core().refusedEntryCount()).isZero();
    }

    /** Free to publish, and therefore here: perf's module makes it from a seed, with a reference book's answers. */
    @Test
    void shouldMakeEveryTradeOfTheSampleDay() throws IOException {
        ShanghaiReplay day;
        try (BufferedReader flow = RealData.gzipResourceLines("sample-day.csv.gz")) {
            day = new ShanghaiReplay(flow);
        }

        assertThat(day.tradeCount).isGreaterThan(4_000);
        assertThat(day.snapshotCount).isEqualTo(200);
        assertThat(day.cancelCount).isGreaterThan(1_000);
        assertAllEqual(day);
    }

    @Test
    void shouldMakeEveryTradeOfARealDayInShanghai() throws IOException {
        Path file = RealData.file("sse/sse_600519_20230207_flow.csv.gz");
        ShanghaiReplay day;
        try (BufferedReader flow = RealData.gzipLines(file)) {
            day = new ShanghaiReplay(flow);
        }

        assertThat(day.tradeCount).isEqualTo(18_139);
        assertThat(day.snapshotCount).isGreaterThan(4_000);
        assertAllEqual(day);
    }

    @Test
    void shouldShowTheBookOfARealDayAtNasdaqOnAllTenLevels() throws IOException {
        Path flowFile = RealData.file("lobster/GOOG_L10_flow.csv.gz");
        Path bookFile = RealData.file("lobster/LOBSTER_SampleFile_GOOG_2012-06-21_10.zip");
        LobsterReplay day;
        try (BufferedReader flow = RealData.gzipLines(flowFile);
                ZipFile zip = new ZipFile(bookFile.toFile())) {
            ZipEntry books = zip.stream()
                    .filter(entry -> entry.getName().contains("orderbook"))
                    .findFirst()
                    .orElseThrow();
            day = new LobsterReplay(flow, RealData.lines(zip.getInputStream(books)));
        }

        assertThat(day.checkCount).isEqualTo(146_233);
        assertThat(day.topMatchCount).isEqualTo(day.checkCount);
        assertThat(day.bookMatchCount).isEqualTo(day.checkCount);
        assertThat(day.core().refusedEntryCount()).isZero();
    }

    private static void assertAllEqual(ShanghaiReplay day) {
        assertThat(day.tradeMatchCount).as("trades equal to the exchange's").isEqualTo(day.tradeCount);
        assertThat(day.surplusTradeCount).as("trades the exchange did not make").isZero();
        assertThat(day.snapshotMatchCount).as("snapshots").isEqualTo(day.snapshotCount);
        assertThat(day.cancelMatchCount).as("quantities left at a cancel").isEqualTo(day.cancelCount);
        assertThat(day.core().refusedEntryCount()).isZero();
    }
}
