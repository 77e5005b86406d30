package io.sealbook.perf.results;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A result as Markdown, with columns as wide as their cells so that a terminal shows a table too. */
final class ResultTable {
    /** The command whose results are drawn, too. */
    private static final String CURVES = "curves";

    private ResultTable() {}

    /**
     * Returns the section of a result.
     *
     * @param name of its file
     * @param result what the file holds
     */
    static String markdown(String name, Result result) {
        StringBuilder text = new StringBuilder();
        text.append("## ").append(result.title()).append("\n\n");
        text.append("- `").append(name).append("`: ").append(origin(result)).append("\n");
        text.append("- ").append(result.machine()).append("; ").append(result.jvm());
        if (result.flags() != null && !result.flags().isBlank()) {
            text.append("; flags `").append(result.flags()).append('`');
        }
        text.append('\n');
        if (result.command() != null) {
            text.append("- `").append(result.command()).append("`\n");
        }
        for (String note : result.notes()) {
            text.append("- ").append(note).append('\n');
        }
        return filled(text.toString()) + "\n" + table(result.rows()) + curves(result);
    }

    /** Returns the curves of a result that has some, of which the first figure is the variable. */
    private static String curves(Result result) {
        if (!result.experiment().equals(CURVES)) {
            return "";
        }
        String variable = result.rows().getFirst().figures().keySet().iterator().next();
        Figure x = Figure.of(variable).orElseThrow();
        return "\n```\n" + Curve.draw(result.rows(), x, Figure.ORDERS_PER_SECOND) + "\n"
                + Curve.draw(result.rows(), x, Figure.MEAN_MS) + "```\n";
    }

    private static String origin(Result result) {
        String commit = result.commit() == null ? "commit not recorded" : "commit " + result.commit();
        String from = result.documented() == null ? "" : ", transcribed from the text of " + result.documented();
        return result.date() + ", " + commit + from;
    }

    private static String table(List<ResultRow> rows) {
        Set<String> keys = new LinkedHashSet<>();
        rows.forEach(row -> keys.addAll(row.figures().keySet()));
        List<Figure> columns =
                keys.stream().map(key -> Figure.of(key).orElseThrow()).toList();
        List<List<String>> cells = new ArrayList<>();
        List<String> headings = new ArrayList<>(List.of("run"));
        columns.forEach(column -> headings.add(column.heading()));
        cells.add(headings);
        for (ResultRow row : rows) {
            List<String> line = new ArrayList<>(List.of(row.label()));
            for (Figure column : columns) {
                Double value = row.figures().get(column.key());
                line.add(value == null ? "" : column.format(value));
            }
            cells.add(line);
        }
        int[] widths = new int[headings.size()];
        for (List<String> line : cells) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            text.append(line(cells.get(i), widths));
            if (i == 0) {
                text.append(rule(widths));
            }
        }
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            String room = " ".repeat(widths[i] - cells.get(i).length());
            // Labels to the left, figures to the right.
            line.append(' ')
                    .append(i == 0 ? cells.get(i) + room : room + cells.get(i))
                    .append(" |");
        }
        return line.append('\n').toString();
    }

    private static String rule(int[] widths) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            line.append('-').append("-".repeat(widths[i])).append(i == 0 ? "-|" : ":|");
        }
        return line.append('\n').toString();
    }

    /** Breaks lines at 120 columns; what follows in a list item is indented by two. */
    private static String filled(String text) {
        StringBuilder filled = new StringBuilder();
        for (String line : text.lines().toList()) {
            int column = 0;
            for (String word : line.split(" ")) {
                if (column > 0 && column + 1 + word.length() > 120) {
                    filled.append("\n  ").append(word);
                    column = 2 + word.length();
                } else {
                    filled.append(column == 0 ? "" : " ").append(word);
                    column += (column == 0 ? 0 : 1) + word.length();
                }
            }
            filled.append('\n');
        }
        return filled.toString();
    }
}
