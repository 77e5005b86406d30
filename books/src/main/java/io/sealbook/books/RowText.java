package io.sealbook.books;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Rows as lines: names of the columns first, tabs between values, nothing where a value is null. */
final class RowText {
    private RowText() {}

    static void print(ResultSet rows, PrintWriter out) throws SQLException {
        int columns = rows.getMetaData().getColumnCount();
        StringBuilder line = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
            append(line, rows.getMetaData().getColumnLabel(i), i);
        }
        out.println(line);
        while (rows.next()) {
            line.setLength(0);
            for (int i = 1; i <= columns; i++) {
                append(line, rows.getString(i), i);
            }
            out.println(line);
        }
    }

    private static void append(StringBuilder line, String value, int column) {
        if (column > 1) {
            line.append('\t');
        }
        if (value != null) {
            line.append(value);
        }
    }
}
