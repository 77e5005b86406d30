package io.sealbook.simulator.disk;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/** The file system of one disk. Paths are absolute. */
final class DiskFileSystem extends FileSystem {
    private final DiskProvider provider;

    DiskFileSystem(SimulatedDisk disk) {
        this.provider = new DiskProvider(disk);
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        StringBuilder name = new StringBuilder(first);
        for (String part : more) {
            name.append('/').append(part);
        }
        return new DiskPath(this, name.toString());
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("a disk stays");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(getPath("/"));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic");
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        throw new UnsupportedOperationException("patterns");
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        throw new UnsupportedOperationException("users");
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("watching");
    }
}
