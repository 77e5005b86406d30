package io.sealbook.node.replicalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.node.payloadlog.RecordingStorage;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VoteMarkTest {
    @TempDir
    private Path directory;

    private RecordingStorage storage() {
        return new RecordingStorage(FileStorage.open(directory));
    }

    @Test
    void shouldOutliveItsProcess() {
        try (VoteMark mark = VoteMark.open(storage(), Durability.PROCESS)) {
            assertThat(mark.isSet()).isFalse();
            mark.set();
            assertThat(mark.isSet()).isTrue();
        }

        try (VoteMark again = VoteMark.open(storage(), Durability.PROCESS)) {
            assertThat(again.isSet()).isTrue();
        }
    }

    @Test
    void shouldBeWrittenOnceAndSyncedInClassDisk() {
        RecordingStorage storage = storage();
        try (VoteMark mark = VoteMark.open(storage, Durability.DISK)) {
            mark.set();
            mark.set();
        }

        assertThat(storage.events).containsExactly("write", "sync", "sync names");
    }

    /** Before its first vote a replica must not lose the mark in any class. */
    @Test
    void shouldBeOnTheDiskInEveryClassIfThatIsAskedFor() {
        RecordingStorage storage = storage();
        try (VoteMark mark = VoteMark.open(storage, Durability.PROCESS)) {
            mark.set();
            assertThat(storage.events).containsExactly("write");

            mark.setOnDisk();
            assertThat(storage.events).containsExactly("write", "write", "sync", "sync names");
            assertThat(mark.isSet()).isTrue();
        }
    }

    @Test
    void shouldNotCountAsSetWhenItCannotBeWritten() {
        RecordingStorage storage = storage();
        try (VoteMark mark = VoteMark.open(storage, Durability.PROCESS)) {
            storage.isFull = true;

            assertThatThrownBy(mark::set).isInstanceOf(StorageException.class);
            assertThat(mark.isSet()).isFalse();
        }
    }
}
