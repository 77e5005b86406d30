package io.sealbook.perf.siege;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The table of doors in {@code docs/OPERATING.md}: the one place that says who may use what. Immutable; any thread. */
final class DoorTable {
    static final String FILE = "docs/OPERATING.md";
    private static final String HEAD = "| port | door |";
    private static final int FIRST_GUEST = 2;

    private final List<Door> doors;

    private DoorTable(List<Door> doors) {
        this.doors = List.copyOf(doors);
    }

    /**
     * Reads the table.
     *
     * @param home root of the source tree
     * @throws IOException if there is no such table, or a cell is neither yes nor no
     */
    static DoorTable read(Path home) throws IOException {
        Path file = home.resolve(FILE);
        List<String> lines = Files.readAllLines(file);
        int head = 0;
        while (head < lines.size() && !lines.get(head).startsWith(HEAD)) {
            head++;
        }
        if (head == lines.size()) {
            throw new IOException(file + " has no table that begins with '" + HEAD + "'");
        }
        List<String> columns = cells(lines.get(head));
        List<Door> doors = new ArrayList<>();
        for (int i = head + 2; i < lines.size() && lines.get(i).startsWith("|"); i++) {
            doors.add(door(columns, cells(lines.get(i))));
        }
        return new DoorTable(doors);
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList();
    }

    private static Door door(List<String> columns, List<String> cells) throws IOException {
        Map<Guest, Boolean> admits = new EnumMap<>(Guest.class);
        for (Guest guest : Guest.values()) {
            int column = columns.indexOf(guest.column());
            String cell = column < FIRST_GUEST || column >= cells.size() ? "" : cells.get(column);
            if (!cell.equals("yes") && !cell.equals("no")) {
                throw new IOException(cells + " says neither yes nor no of '" + guest.column() + "'");
            }
            admits.put(guest, cell.equals("yes"));
        }
        return new Door(cells.get(0), cells.get(1).replace("`", ""), admits);
    }

    /** Returns the doors of a port, in the order of the table. */
    List<Door> of(String port) {
        return doors.stream().filter(door -> door.port().equals(port)).toList();
    }
}
