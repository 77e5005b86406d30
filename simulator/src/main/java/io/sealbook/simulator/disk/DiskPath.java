package io.sealbook.simulator.disk;

import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A name on a disk; absolute if it begins with a slash. */
final class DiskPath implements Path {
    private final DiskFileSystem fileSystem;
    private final String name;

    DiskPath(DiskFileSystem fileSystem, String name) {
        this.fileSystem = fileSystem;
        this.name = name;
    }

    @Override
    public FileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return name.startsWith("/");
    }

    @Override
    public Path getRoot() {
        return isAbsolute() ? new DiskPath(fileSystem, "/") : null;
    }

    @Override
    public Path getFileName() {
        return new DiskPath(fileSystem, name.substring(name.lastIndexOf('/') + 1));
    }

    @Override
    public Path getParent() {
        return name.equals("/") || !name.contains("/") ? null : new DiskPath(fileSystem, SimulatedDisk.parent(name));
    }

    private List<String> parts() {
        return Arrays.stream(name.split("/")).filter(part -> !part.isEmpty()).toList();
    }

    @Override
    public int getNameCount() {
        return parts().size();
    }

    @Override
    public Path getName(int index) {
        return new DiskPath(fileSystem, parts().get(index));
    }

    @Override
    public Path subpath(int from, int to) {
        return new DiskPath(fileSystem, String.join("/", parts().subList(from, to)));
    }

    @Override
    public boolean startsWith(Path other) {
        return name.equals(other.toString()) || name.startsWith(other + "/");
    }

    @Override
    public boolean endsWith(Path other) {
        return name.equals(other.toString()) || name.endsWith("/" + other);
    }

    @Override
    public Path normalize() {
        return this;
    }

    @Override
    public Path resolve(Path other) {
        return other.isAbsolute()
                ? other
                : new DiskPath(fileSystem, name.equals("/") ? "/" + other : name + "/" + other);
    }

    @Override
    public Path relativize(Path other) {
        throw new UnsupportedOperationException("relative paths");
    }

    @Override
    public URI toUri() {
        throw new UnsupportedOperationException("URI");
    }

    @Override
    public Path toAbsolutePath() {
        return isAbsolute() ? this : new DiskPath(fileSystem, "/" + name);
    }

    @Override
    public Path toRealPath(LinkOption... options) {
        return toAbsolutePath();
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
        throw new UnsupportedOperationException("watching");
    }

    @Override
    public int compareTo(Path other) {
        return name.compareTo(other.toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DiskPath path && path.fileSystem == fileSystem && path.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
