package io.sealbook.books;

import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Rows as lines: names of the columns first, tabs between values, nothing where a value is null. Members choose some of
 * the texts: a control character, a line separator or a backslash in a value is written as {@code \t}, {@code \n},
 * {@code \r}, {@code \\} or with its code in hexadecimal digits, so that each row is one line and a terminal executes
 * nothing.
 */
final class RowText {
    private static final char LINE_SEPARATOR = 0x2028;
    private static final char PARAGRAPH_SEPARATOR = 0x2029;

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
            value.chars().forEach(character -> append(line, (char) character));
        }
    }

    private static void append(StringBuilder line, char character) {
        switch (character) {
            case '\\' -> line.append("\\\\");
            case '\t' -> line.append("\\t");
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            default -> {
                if (isBreaking(character)) {
                    line.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
                } else {
                    line.append(character);
                }
            }
        }
    }

    private static boolean isBreaking(char character) {
        return Character.isISOControl(character) || character == LINE_SEPARATOR || character == PARAGRAPH_SEPARATOR;
    }
}
