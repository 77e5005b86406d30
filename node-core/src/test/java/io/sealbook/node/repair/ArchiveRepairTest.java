package io.sealbook.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.RepairAnswer;
import io.sealbook.node.port.RepairVerdict;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks 1 to 12 in segments of 4, certificates of each second one; peers 1 to 3. */
class ArchiveRepairTest {
    private static final Digest GENESIS = Digest.sha256(new byte[] {9});
    private static final ArchiveConfig CONFIG = new ArchiveConfig(GENESIS, 4, Durability.PROCESS);
    private static final long TIMEOUT_NS = 4_000_000_000L;
    private static final long RETRY_NS = 60_000_000_000L;

    @TempDir
    private Path directory;

    private record Request(int to, long from) {}

    private final List<Block> chain = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<RepairAnswer> judged = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private Set<Integer> connected = Set.of(1, 2, 3);
    private BlockArchive archive;
    private ArchiveRepair repair;
    private long nowNs;

    @BeforeEach
    void writeArchive() {
        Digest previous = GENESIS;
        try (BlockArchive written = BlockArchive.open(directory, CONFIG)) {
            for (long sequence = 1; sequence <= 12; sequence++) {
                byte[] batch = {(byte) sequence, 2, 3};
                Block block = Block.wrap(new BlockBuilder()
                        .begin(sequence, 0, sequence, Digest.sha256(batch), previous, 0)
                        .add(Digest.sha256(batch), sequence, batch, 0, batch.length)
                        .build());
                previous = block.hash();
                chain.add(block);
                written.append(block);
                if (sequence % 2 == 0) {
                    written.putCertificate(certificate(block));
                }
            }
        }
    }

    private static CheckpointCertificate certificate(Block block) {
        byte[] signature = new byte[CertificateSignature.LENGTH];
        return new CheckpointCertificate(
                block.header().sequence(),
                block.hash(),
                Digest.ZERO,
                Digest.ZERO,
                List.of(new CertificateSignature(0, signature)));
    }

    @AfterEach
    void closeArchive() {
        archive.close();
    }

    private void open() {
        archive = BlockArchive.open(directory, CONFIG);
        BlockRequests peers = new BlockRequests() {
            @Override
            public void requestBlocks(int to, long from, int count) {
                requests.add(new Request(to, from));
            }

            @Override
            public Set<Integer> connected() {
                return connected;
            }
        };
        repair = new ArchiveRepair(archive.health(), peers, judged::add, 2, new NoEvents() {
            @Override
            public void blockRepaired(long sequence, int peer) {
                events.add("repaired " + sequence + " from " + peer);
            }

            @Override
            public void repairRefused(int peer, long sequence, String fault) {
                events.add("refused " + peer + " for " + sequence);
            }

            @Override
            public void repairPostponed(long sequence, String why) {
                events.add("postponed " + sequence);
            }

            @Override
            public void certificatesRepaired(long after, long before, int count) {
                events.add("certificates " + count);
            }
        });
    }

    private void flip(long sequence) throws IOException {
        BlockFacts facts;
        try (ArchiveReader reader = ArchiveReader.open(directory)) {
            facts = reader.facts(sequence).orElseThrow();
        }
        Path file = directory.resolve(String.format("segment-%019d.blocks", sequence - (sequence - 1) % 4));
        flip(file, facts.offset() + 50);
    }

    private static void flip(Path path, long offset) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(offset);
            int value = file.read();
            file.seek(offset);
            file.write(value ^ 1);
        }
    }

    private void find(long... sequences) {
        for (long sequence : sequences) {
            try {
                archive.read(sequence);
            } catch (BlockDamagedException e) {
                // In quarantine now.
            }
        }
    }

    private Request lastRequest() {
        return requests.getLast();
    }

    private void answer(Request request) {
        Block block = chain.get((int) request.from - 1);
        byte[] certificate =
                certificate(chain.get((int) ((request.from + 1) / 2 * 2) - 1)).encode();
        repair.onBlocks(request.to, request.from, List.of(block.bytes()), certificate, nowNs);
    }

    private void approve() {
        repair.onJudged(RepairVerdict.right(judged.removeLast()), nowNs);
    }

    @Test
    void shouldRepairARunFromItsLastBlockToItsFirst() throws IOException {
        flip(6);
        flip(7);
        open();
        find(6, 7);

        while (repair.isRunning()) {
            repair.onTick(nowNs);
            answer(lastRequest());
            approve();
        }

        assertThat(requests).extracting(Request::from).containsExactly(7L, 6L);
        assertThat(archive.read(6)).contains(chain.get(5).bytes());
        assertThat(archive.read(7)).contains(chain.get(6).bytes());
    }

    @Test
    void shouldAskALiarNoMoreForTheSameBlock() throws IOException {
        flip(5);
        open();
        find(5);

        for (int i = 0; i < 3; i++) {
            repair.onTick(nowNs);
            Request request = lastRequest();
            repair.onBlocks(request.to, 5, List.of(chain.get(5).bytes()), null, nowNs);
        }
        assertThat(requests).extracting(Request::to).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(judged).isEmpty();
        repair.onTick(nowNs);
        assertThat(requests).as("nobody is left").hasSize(3);

        connected = Set.of(1, 2, 3, 4);
        repair.onTick(nowNs);
        answer(lastRequest());
        approve();

        assertThat(events).containsSubsequence("refused 1 for 5", "repaired 5 from 4");
    }

    /** The disk of each erred once. */
    @Test
    void shouldAskPeersAgainAMinuteAfterAllSentSomethingWrong() throws IOException {
        flip(5);
        open();
        find(5);
        for (int i = 0; i < 3; i++) {
            repair.onTick(nowNs);
            repair.onBlocks(lastRequest().to, 5, List.of(chain.get(5).bytes()), null, nowNs);
        }
        nowNs += RETRY_NS - 1;
        repair.onTick(nowNs);
        assertThat(requests).hasSize(3);

        nowNs++;
        repair.onTick(nowNs);
        assertThat(requests).hasSize(4);
        answer(lastRequest());
        approve();

        assertThat(archive.health().damagedBlocks()).isEmpty();
    }

    /** A block that is well-formed and has the right number, but is not the one that the chain names. */
    @Test
    void shouldRefuseAnotherBlockOfTheSameNumber() throws IOException {
        flip(5);
        open();
        find(5);
        repair.onTick(nowNs);
        Request first = lastRequest();
        byte[] batch = {9};
        Block other = Block.wrap(new BlockBuilder()
                .begin(5, 0, 5, Digest.sha256(batch), chain.get(3).hash(), 0)
                .add(Digest.sha256(batch), 5, batch, 0, batch.length)
                .build());

        repair.onBlocks(first.to, 5, List.of(other.bytes()), null, nowNs);

        assertThat(judged).isEmpty();
        assertThat(events).containsExactly("refused " + first.to + " for 5");
        assertThat(lastRequest().to).isNotEqualTo(first.to);
    }

    /** The hash is that of the header, which no batch id changes. */
    @Test
    void shouldRefuseABlockThatNamesAnotherBatch() throws IOException {
        flip(5);
        open();
        find(5);
        repair.onTick(nowNs);
        byte[] bytes = chain.get(4).bytes().clone();
        bytes[BlockHeader.LENGTH] ^= 1;
        assertThat(Block.wrap(bytes).hash()).isEqualTo(chain.get(4).hash());

        repair.onBlocks(lastRequest().to, 5, List.of(bytes), null, nowNs);

        assertThat(judged).isEmpty();
        assertThat(events).hasSize(1).allMatch(event -> event.startsWith("refused"));
    }

    @Test
    void shouldAskAnotherPeerWhereSignaturesAreForged() throws IOException {
        flip(5);
        open();
        find(5);
        repair.onTick(nowNs);
        Request first = lastRequest();
        answer(first);
        repair.onJudged(RepairVerdict.wrong(judged.removeLast(), "signature"), nowNs);

        assertThat(lastRequest().to).isNotEqualTo(first.to);
        assertThat(archive.health().damagedBlocks()).containsExactly(5L);
        answer(lastRequest());
        approve();
        assertThat(archive.health().damagedBlocks()).isEmpty();
    }

    @Test
    void shouldAskAnotherPeerWhenOneIsSilent() throws IOException {
        flip(5);
        open();
        find(5);
        repair.onTick(nowNs);
        Request first = lastRequest();
        nowNs += TIMEOUT_NS;
        repair.onTick(nowNs);

        assertThat(lastRequest().to).isNotEqualTo(first.to);
        assertThat(repair.onBlocks(first.to, 5, List.of(chain.get(4).bytes()), null, nowNs))
                .as("too late")
                .isFalse();
        answer(lastRequest());
        approve();
        assertThat(archive.read(5)).isPresent();
    }

    @Test
    void shouldTakeNothingThatWasNotAskedFor() throws IOException {
        flip(5);
        open();
        find(5);

        assertThat(repair.onBlocks(1, 5, List.of(chain.get(4).bytes()), null, nowNs))
                .isFalse();
    }

    @Test
    void shouldTryAgainLaterWhatCouldNotBeJudged() throws IOException {
        flip(5);
        open();
        find(5);
        repair.onTick(nowNs);
        answer(lastRequest());
        repair.onJudged(RepairVerdict.notJudged(judged.removeLast(), "block 1 is damaged"), nowNs);
        repair.onTick(nowNs);
        assertThat(requests).hasSize(1);
        nowNs += 100 * TIMEOUT_NS;
        repair.onTick(nowNs);
        answer(lastRequest());
        approve();

        assertThat(events).containsExactly("postponed 5", "repaired 5 from " + lastRequest().to);
    }

    @Test
    void shouldFillAGapOfCertificates() throws IOException {
        Path log = directory.resolve("certificates.log");
        byte[] before = Files.readAllBytes(log);
        damageCertificates(1, 2);
        open();

        for (int i = 0; i < 10 && repair.isRunning(); i++) {
            repair.onTick(nowNs);
            answer(lastRequest());
            if (!judged.isEmpty()) {
                approve();
            }
        }

        assertThat(events).containsExactly("certificates 3");
        assertThat(Files.readAllBytes(log)).isEqualTo(before);
    }

    /** Peer 1 leaves out the certificate of block 4: what it shows is signed by a quorum all the same. */
    @Test
    void shouldFillAGapOfWhichOnePeerShowsThePartThatItLikes() throws IOException {
        damageCertificates(1, 2);
        open();

        for (int i = 0; i < 20 && repair.isRunning(); i++) {
            repair.onTick(nowNs);
            Request request = lastRequest();
            if (request.to == 1 && request.from <= 6) {
                byte[] last = certificate(chain.get(5)).encode();
                repair.onBlocks(
                        1,
                        request.from,
                        List.of(chain.get((int) request.from - 1).bytes()),
                        last,
                        nowNs);
            } else {
                answer(request);
            }
            if (!judged.isEmpty()) {
                approve();
            }
        }

        assertThat(requests).extracting(Request::to).contains(1);
        assertThat(events).containsExactly("certificates 3");
        assertThat(archive.certificateAtOrAfter(3)).contains(certificate(chain.get(3)));
    }

    /** Peer 1 shows the same certificate for ever. */
    @Test
    void shouldAskAPeerNoMoreThatShowsACertificateOfABlockBeforeTheOneAskedFor() throws IOException {
        damageCertificates(1, 2);
        open();

        for (int i = 0; i < 20 && repair.isRunning(); i++) {
            repair.onTick(nowNs);
            Request request = lastRequest();
            if (request.to == 1) {
                byte[] first = certificate(chain.get(3)).encode();
                repair.onBlocks(
                        1,
                        request.from,
                        List.of(chain.get((int) request.from - 1).bytes()),
                        first,
                        nowNs);
            } else {
                answer(request);
            }
            if (!judged.isEmpty()) {
                approve();
            }
        }

        assertThat(events).containsExactly("refused 1 for 1", "certificates 3");
    }

    /** Peers 1 to 3 have no certificate of the gap, and say so; one of them could lie, all of them do not. */
    @Test
    void shouldCloseAGapThatNoPeerFills() throws IOException {
        damageCertificates(1);
        open();

        for (int i = 0; i < 3; i++) {
            repair.onTick(nowNs);
            assertThat(events).isEmpty();
            repair.onBlocks(lastRequest().to, lastRequest().from, List.of(), null, nowNs);
        }

        assertThat(events).containsExactly("certificates 0");
        assertThat(archive.certificateAtOrAfter(3)).contains(certificate(chain.get(5)));
        assertThat(repair.isRunning()).isFalse();
    }

    /** Blocks 3 to 5 have no certificate at any peer, and peer 3 does not answer for them; that of block 10 is lost. */
    @Test
    void shouldFillTheGapBehindOneThatASilentPeerKeepsOpen() throws IOException {
        damageCertificates(1, 4);
        open();

        for (int i = 0; i < 20 && repair.isRunning(); i++) {
            repair.onTick(nowNs);
            Request request = lastRequest();
            if (request.from > 6) {
                answer(request);
            } else if (request.to != 3) {
                repair.onBlocks(request.to, request.from, List.of(), null, nowNs);
            }
            if (!judged.isEmpty()) {
                approve();
            }
            nowNs += TIMEOUT_NS;
        }

        assertThat(events).containsExactly("certificates 0", "certificates 2");
        assertThat(archive.certificateAtOrAfter(10)).contains(certificate(chain.get(9)));
    }

    /** Peer 3 shows a certificate that no quorum signed; the others have none. */
    @Test
    void shouldCloseAGapForWhichOnePeerLies() throws IOException {
        damageCertificates(1);
        open();

        for (int i = 0; i < 20 && repair.isRunning(); i++) {
            repair.onTick(nowNs);
            Request request = lastRequest();
            if (request.to == 3) {
                answer(request);
            } else {
                repair.onBlocks(request.to, request.from, List.of(), null, nowNs);
            }
            if (!judged.isEmpty()) {
                repair.onJudged(RepairVerdict.wrong(judged.removeLast(), "no quorum"), nowNs);
            }
        }

        assertThat(events).containsExactly("refused 3 for 1", "certificates 0");
    }

    /** All peers show a wrong certificate of block 4 once; that of block 10 is right. */
    @Test
    void shouldAskPeersAgainForAGapAMinuteAfterAllSentSomethingWrong() throws IOException {
        damageCertificates(1, 4);
        open();
        Set<Integer> liars = new HashSet<>(connected);

        int answered = 0;
        for (int i = 0; i < 40 && repair.isRunning(); i++) {
            repair.onTick(nowNs);
            if (requests.size() == answered) {
                nowNs += RETRY_NS;
                continue;
            }
            answered = requests.size();
            Request request = lastRequest();
            answer(request);
            if (!judged.isEmpty() && request.from <= 6 && liars.remove(request.to)) {
                repair.onJudged(RepairVerdict.wrong(judged.removeLast(), "no quorum"), nowNs);
            } else if (!judged.isEmpty()) {
                approve();
            }
        }

        assertThat(events).filteredOn(event -> event.startsWith("refused")).hasSize(3);
        assertThat(events).endsWith("postponed 1", "certificates 2", "certificates 2");
        assertThat(archive.certificateAtOrAfter(3)).contains(certificate(chain.get(3)));
    }

    /** The first gap cannot be judged yet: a block that names its signers is damaged. */
    @Test
    void shouldFillTheGapBehindOneThatIsPostponed() throws IOException {
        damageCertificates(1, 4);
        open();

        for (int i = 0; i < 20 && events.size() < 2; i++) {
            repair.onTick(nowNs);
            answer(lastRequest());
            if (!judged.isEmpty() && lastRequest().from <= 6) {
                repair.onJudged(RepairVerdict.notJudged(judged.removeLast(), "block 1 is damaged"), nowNs);
            } else if (!judged.isEmpty()) {
                approve();
            }
        }

        assertThat(events).containsExactly("postponed 1", "certificates 2");
    }

    /** @param places of certificates in their log, from 0 */
    private void damageCertificates(int... places) throws IOException {
        Path log = directory.resolve("certificates.log");
        long length = (Files.size(log) - 48) / 6;
        for (int place : places) {
            flip(log, 48 + place * length + 20);
        }
    }

    @Test
    void shouldFindRotByScrubbingAndRest() throws IOException {
        flip(2);
        flip(9);
        open();
        Scrub scrub = new Scrub(archive, 1_000, 3_600_000_000_000L, () -> 12);
        int steps = 0;
        long blocks = 0;
        while (scrub.passCount() == 0) {
            nowNs += scrub.step(nowNs);
            steps += scrub.blockCount() > blocks ? 1 : 0;
            blocks = scrub.blockCount();
        }

        assertThat(steps).isEqualTo(12);
        assertThat(archive.health().damagedBlocks()).containsExactly(2L, 9L);
        assertThat(nowNs).as("read at 1,000 bytes a second").isGreaterThan(2_000_000_000L);
        scrub.step(nowNs + 3_500_000_000_000L);
        assertThat(scrub.blockCount()).as("it rests").isEqualTo(12);
        scrub.step(nowNs + 3_601_000_000_000L);
        assertThat(scrub.blockCount()).isEqualTo(13);
    }

    /** The scrub is far away, and the engine waits for block 3. */
    @Test
    void shouldLookAtTheBlockThatTheEngineWaitsFor() throws IOException {
        flip(3);
        open();
        Scrub scrub = new Scrub(archive, 1, 3_600_000_000_000L, () -> 2);

        for (int i = 0; i < 3; i++) {
            scrub.step(nowNs);
            nowNs += 1_000_000_000L;
        }

        assertThat(scrub.blockCount()).isEqualTo(1);
        assertThat(archive.health().damagedBlocks()).containsExactly(3L);
    }
}
