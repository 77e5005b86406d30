package io.sealbook.simulator.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** Attributes of a name on a disk. */
record DiskAttributes(boolean isDirectory, long size) implements BasicFileAttributes {
    private static final FileTime NO_TIME = FileTime.fromMillis(0);

    @Override
    public boolean isRegularFile() {
        return !isDirectory;
    }

    @Override
    public boolean isSymbolicLink() {
        return false;
    }

    @Override
    public boolean isOther() {
        return false;
    }

    @Override
    public FileTime lastModifiedTime() {
        return NO_TIME;
    }

    @Override
    public FileTime lastAccessTime() {
        return NO_TIME;
    }

    @Override
    public FileTime creationTime() {
        return NO_TIME;
    }

    @Override
    public Object fileKey() {
        return null;
    }
}
