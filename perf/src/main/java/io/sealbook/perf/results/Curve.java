package io.sealbook.perf.results;

import java.util.List;
import java.util.Locale;

/** A curve as text: a line per point with a bar, so that a terminal and a page show the same. */
public final class Curve {
    /** In the label of a point: between its value and the curve to which it belongs, if there are several. */
    public static final String FAMILY = "; ";

    private static final int WIDTH = 60;
    private static final int EIGHTHS = 8;
    /** An eighth of a column up to seven of them. */
    private static final String PARTS = "▏▎▍▌▋▊▉";

    private Curve() {}

    /**
     * Draws one figure against another; bars begin at zero. Points of several curves are drawn curve by curve, each
     * below its name, to one scale.
     *
     * @param rows points, each with both figures
     * @param x the variable
     * @param y what was measured
     * @return a heading and a line per point, each ended
     */
    public static String draw(List<ResultRow> rows, Figure x, Figure y) {
        double max = rows.stream().mapToDouble(row -> value(row, y)).max().orElse(0);
        int width = rows.stream()
                .mapToInt(row -> x.format(value(row, x)).length())
                .reduce(x.heading().length(), Math::max);
        StringBuilder text = new StringBuilder(pad(x.heading(), width))
                .append("  ")
                .append(y.heading())
                .append('\n');
        String drawn = "";
        for (ResultRow row : rows) {
            String curve = curve(row);
            if (!curve.equals(drawn)) {
                text.append(pad("", width)).append("  ").append(curve).append('\n');
                drawn = curve;
            }
            text.append(pad(x.format(value(row, x)), width))
                    .append("  ")
                    .append(bar(value(row, y), max))
                    .append(' ')
                    .append(y.format(value(row, y)))
                    .append('\n');
        }
        return text.toString();
    }

    private static String curve(ResultRow row) {
        int family = row.label().indexOf(FAMILY);
        return family < 0 ? "" : row.label().substring(family + FAMILY.length());
    }

    private static double value(ResultRow row, Figure figure) {
        Double value = row.figures().get(figure.key());
        if (value == null) {
            throw new IllegalArgumentException("the point \"" + row.label() + "\" has no " + figure.key());
        }
        return value;
    }

    private static String pad(String text, int width) {
        return String.format(Locale.ROOT, "%" + width + "s", text);
    }

    private static String bar(double value, double max) {
        long eighths = max > 0 ? Math.round(value / max * WIDTH * EIGHTHS) : 0;
        int rest = (int) (eighths % EIGHTHS);
        String bar = "█".repeat((int) (eighths / EIGHTHS));
        return rest == 0 ? bar : bar + PARTS.charAt(rest - 1);
    }
}
