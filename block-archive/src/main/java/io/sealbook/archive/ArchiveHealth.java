package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is damaged in the archive of a running node, and its repair.
 *
 * <pre>
 *   read or check finds damage ─▶ quarantined: named, counted, not served
 *   repair: hash known here ─▶ bytes of a peer have it ─▶ damaged bytes kept beside ─▶ written in the block's place
 * </pre>
 *
 * A block's hash is known if the next block is whole, or a certificate of this archive names it. So a run of damaged
 * blocks is repaired from its last one to its first. Nothing of a peer is believed. Any thread may read and check; the
 * thread that appends repairs.
 */
public final class ArchiveHealth {
    private final BlockArchive archive;
    private final OpenSegment.ChannelOpener opener;
    private final SegmentFiles files;
    private final SegmentAppender appender;
    private final CertificateLog certificates;
    private final Quarantine quarantine;

    ArchiveHealth(
            BlockArchive archive,
            OpenSegment.ChannelOpener opener,
            SegmentFiles files,
            SegmentAppender appender,
            CertificateLog certificates,
            Quarantine quarantine) {
        this.archive = archive;
        this.opener = opener;
        this.files = files;
        this.appender = appender;
        this.certificates = certificates;
        this.quarantine = quarantine;
    }

    /** Has a listener called whenever more damage is found: on any thread, and it must be short. */
    public void onFound(Runnable listener) {
        quarantine.onFound(listener);
        certificates.onGap(listener);
    }

    /** Returns the blocks that are known to be damaged, ascending. */
    public List<Long> damagedBlocks() {
        return quarantine.blocks();
    }

    /** Returns the last damaged block below a sequence. */
    public Optional<Long> damagedBefore(long sequence) {
        return quarantine.before(sequence);
    }

    /** Returns how many blocks were found damaged since the archive was opened, repaired ones included. */
    public long foundBlockCount() {
        return quarantine.foundCount();
    }

    public int damagedBlockCount() {
        return quarantine.count();
    }

    /** Returns where certificates are known to be damaged, ascending. */
    public List<CertificateGap> certificateGaps() {
        return certificates.gaps();
    }

    /**
     * Returns the hash that a block must have: as the next block names it, or a certificate of this archive.
     *
     * @return empty if the next block is damaged too and there is no certificate of this block
     */
    public Optional<Digest> expectedHash(long sequence) {
        return archive.hashOfLast(sequence)
                .or(() -> certified(sequence))
                .or(() -> whole(sequence + 1).map(next -> next.header().previousHash()));
    }

    private Optional<Digest> certified(long sequence) {
        return certificates
                .atOrAfter(sequence)
                .filter(certificate -> certificate.sequence() == sequence)
                .map(CheckpointCertificate::chainHash);
    }

    private Optional<Block> whole(long sequence) {
        try {
            return archive.read(sequence).map(Block::wrap);
        } catch (BlockDamagedException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads a block as an auditor does, and quarantines it if it is not right: checksum, record header, Merkle root,
     * and the hash that the chain has for it. A block that the disk does not give is damaged, too.
     *
     * @param sequence of the block
     * @param expected hash of the block, if it is known
     * @return the block; empty if it is damaged, or not here
     */
    public Optional<Block> check(long sequence, Optional<Digest> expected) {
        Optional<Block> block = wholeOrUnreadable(sequence);
        if (block.isEmpty()) {
            return block;
        }
        boolean isRight = expected.map(block.get().hash()::equals).orElse(true)
                && block.get().hasMerkleRoot()
                && isRecordHeaderWhole(sequence);
        if (!isRight) {
            quarantine.add(sequence);
            return Optional.empty();
        }
        return block;
    }

    private Optional<Block> wholeOrUnreadable(long sequence) {
        try {
            return whole(sequence);
        } catch (ArchiveException | MalformedBlockException e) {
            quarantine.add(sequence);
            return Optional.empty();
        }
    }

    private boolean isRecordHeaderWhole(long sequence) {
        try {
            files.checkRecordHeader(sequence, archive.entry(sequence));
            return true;
        } catch (BlockDamagedException e) {
            return false;
        }
    }

    /** Reads all certificates; what is damaged becomes a gap. Returns how many were read. */
    public int checkCertificates() {
        return certificates.check();
    }

    /**
     * Writes a damaged block anew in its place; the bytes that were there are kept in the directory {@code damaged} of
     * the archive, if there is room for them.
     *
     * @param block of another archive; that its batches bear the signatures of their brokers is the caller's to check
     * @return false if its place is not known any more, which only the command {@code repair} of a stopped node finds
     * @throws ChainViolationException if it is not the block that was appended here
     * @throws ArchiveFullException if there is no room; the block stays damaged
     * @throws ArchiveException if the disk fails
     */
    public boolean repair(Block block) {
        long sequence = block.header().sequence();
        Digest expected = expectedHash(sequence)
                .orElseThrow(() -> new ChainViolationException("the hash of block " + sequence + " is not known"));
        if (!block.hash().equals(expected) || !block.hasMerkleRoot()) {
            throw new ChainViolationException(
                    "block " + sequence + " of a peer has hash " + block.hash().hex() + ", expected " + expected.hex());
        }
        Path file = SegmentFiles.path(archive.directory(), files.firstOf(sequence));
        try (FileChannel channel = opener.open(file)) {
            SegmentHead head = SegmentHead.decode(SegmentFiles.headBytes(channel, file), file);
            RepairPlace place = new RepairPlace(file, head, sequence, archive::entry, archive.lastSequence());
            byte[] bytes = block.bytes();
            Optional<Long> offset = place.offset(bytes.length);
            if (offset.isEmpty()) {
                return false;
            }
            byte[] found = place.bytes(channel, offset.get(), bytes.length);
            quarantine.keep(String.format(Locale.ROOT, "block-%d-%08x", sequence, Crc32c.of(found)), found);
            SegmentEntry entry = place.write(channel, offset.get(), bytes);
            if (!appender.replaceEntry(sequence, entry)) {
                PositionalIo.write(channel, entry.encode(sequence), head.entryOffset(sequence));
                channel.force(true);
            }
        } catch (IOException e) {
            throw PositionalIo.failure("cannot repair block " + sequence, e);
        }
        quarantine.remove(sequence);
        return true;
    }

    /**
     * Closes a gap: writes the log of certificates anew, with those that were found elsewhere. The log as it was is
     * kept in the directory {@code damaged} of the archive; where it cannot be kept, the gap stays.
     *
     * @param gap one of {@link #certificateGaps}
     * @param found certificates of the gap; that a quorum signed each is the caller's to check
     * @throws ChainViolationException if one of them is not about this chain
     * @throws ArchiveFullException if there is no room; the log is as it was
     * @throws ArchiveException if the disk fails
     */
    public void repair(CertificateGap gap, List<CheckpointCertificate> found) {
        for (CheckpointCertificate certificate : found) {
            Optional<Block> block = whole(certificate.sequence());
            if (!gap.contains(certificate.sequence())
                    || block.isPresent() && !block.get().hash().equals(certificate.chainHash())) {
                throw new ChainViolationException("certificate " + certificate.sequence() + " of a peer is not about"
                        + " this chain, or is none of the " + gap);
            }
        }
        certificates.fill(gap, found, quarantine);
    }
}
