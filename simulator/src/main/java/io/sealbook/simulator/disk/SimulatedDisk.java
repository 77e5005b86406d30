package io.sealbook.simulator.disk;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** The files of one machine, and what of them a power failure leaves. One thread. */
public final class SimulatedDisk {
    /** A change of names; {@code file} is null when the name goes. */
    private record NameChange(String directory, String name, DiskFile file) {}

    private static final int BLOCK_LENGTH = 4 << 10;

    private final SplittableRandom random;
    private final Runnable beforeChange;
    private final DiskFileSystem fileSystem = new DiskFileSystem(this);
    private final TreeMap<String, DiskFile> names = new TreeMap<>();
    private final TreeMap<String, DiskFile> durableNames = new TreeMap<>();
    private final List<List<NameChange>> unsyncedNames = new ArrayList<>();
    private final TreeSet<String> directories = new TreeSet<>();
    private final Set<DiskFile> locked = new HashSet<>();
    private boolean isFull;

    /**
     * @param random decides what a power failure keeps
     * @param beforeChange runs before every change and every force; the machine fails at that place if it throws
     */
    public SimulatedDisk(SplittableRandom random, Runnable beforeChange) {
        this.random = random;
        this.beforeChange = beforeChange;
        directories.add("/");
    }

    /** Returns a directory of this disk, which need not exist. */
    public Path directory(String name) {
        return fileSystem.getPath("/" + name);
    }

    /** The process ends: its locks go, everything it wrote stays. */
    public void killProcess() {
        locked.clear();
    }

    /** The power fails: what was not forced is lost in part. */
    public void failPower() {
        killProcess();
        int kept = unsyncedNames.isEmpty() ? 0 : random.nextInt(unsyncedNames.size() + 1);
        unsyncedNames.subList(0, kept).forEach(this::makeDurable);
        unsyncedNames.clear();
        names.clear();
        names.putAll(durableNames);
        names.values().forEach(file -> file.failPower(random));
    }

    /**
     * The medium changes bytes of a file.
     *
     * @param name of the file, from the root on
     * @param offset of the first byte
     * @param length bytes, all of which change
     * @param random decides to what
     */
    public void rot(String name, long offset, int length, SplittableRandom random) {
        names.get(name).rot(Math.toIntExact(offset), length, random);
    }

    /**
     * The medium has put a copy of a part of a file in the place of another part of it, as a misdirected write does.
     *
     * @param name of the file, from the root on
     * @param from offset of the first byte that is copied
     * @param to offset of the first byte that is overwritten
     * @param length bytes
     */
    public void misdirect(String name, long from, long to, int length) {
        names.get(name).misdirect(Math.toIntExact(from), Math.toIntExact(to), length);
    }

    /**
     * From now on no file grows beyond its last block of 4 KiB, and some new files find no entry in their directory.
     */
    public void fill() {
        isFull = true;
    }

    /** Ends what {@link #fill} began. */
    public void makeRoom() {
        isFull = false;
    }

    private void makeDurable(List<NameChange> step) {
        for (NameChange change : step) {
            if (change.file == null) {
                durableNames.remove(change.name);
            } else {
                durableNames.put(change.name, change.file);
            }
        }
    }

    // What the file system's classes ask for.

    void beforeChange() {
        beforeChange.run();
    }

    /**
     * Returns how many bytes of a write there is room for, at least one if any is asked for.
     *
     * @throws NoRoomException if there is room for none
     */
    int room(DiskFile file, long offset, int length) throws NoRoomException {
        if (!isFull) {
            return length;
        }
        long end = (file.length() + BLOCK_LENGTH - 1) / BLOCK_LENGTH * BLOCK_LENGTH;
        int room = (int) Math.clamp(end - offset, 0, length);
        if (room == 0 && length > 0) {
            throw new NoRoomException();
        }
        return room;
    }

    DiskFile existing(String name) throws NoSuchFileException {
        DiskFile file = names.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    boolean isFile(String name) {
        return names.containsKey(name);
    }

    boolean isDirectory(String name) {
        return directories.contains(name);
    }

    void createDirectory(String name) throws FileAlreadyExistsException {
        if (isDirectory(name) || isFile(name)) {
            throw new FileAlreadyExistsException(name);
        }
        for (String path = name; directories.add(path); ) {
            path = parent(path);
        }
    }

    DiskFile create(String name) throws NoRoomException {
        beforeChange();
        if (isFull && random.nextBoolean()) {
            throw new NoRoomException();
        }
        DiskFile file = new DiskFile();
        change(List.of(new NameChange(parent(name), name, file)));
        return file;
    }

    void delete(String name) throws NoSuchFileException {
        existing(name);
        beforeChange();
        change(List.of(new NameChange(parent(name), name, null)));
    }

    void rename(String from, String to) throws NoSuchFileException {
        DiskFile file = existing(from);
        beforeChange();
        change(List.of(new NameChange(parent(from), from, null), new NameChange(parent(to), to, file)));
    }

    private void change(List<NameChange> step) {
        for (NameChange change : step) {
            if (change.file == null) {
                names.remove(change.name);
            } else {
                names.put(change.name, change.file);
            }
        }
        unsyncedNames.add(step);
    }

    void forceNames(String directory) {
        beforeChange();
        List<List<NameChange>> synced = unsyncedNames.stream()
                .filter(step -> step.getFirst().directory.equals(directory))
                .toList();
        synced.forEach(this::makeDurable);
        unsyncedNames.removeAll(synced);
    }

    /** Returns the names in a directory, in ascending order. */
    List<String> list(String directory) {
        return names.keySet().stream()
                .filter(name -> parent(name).equals(directory))
                .toList();
    }

    /** Returns false if the file is locked. */
    boolean lock(DiskFile file) {
        return locked.add(file);
    }

    void unlock(DiskFile file) {
        locked.remove(file);
    }

    static String parent(String name) {
        int slash = name.lastIndexOf('/');
        return slash <= 0 ? "/" : name.substring(0, slash);
    }
}
