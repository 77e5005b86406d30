package io.sealbook.alerts;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One evaluation of an expression at a time: numbers, selectors, {@code increase} and {@code rate}, {@code sum},
 * {@code max}, {@code min} and {@code count} with {@code by}, {@code scalar}, {@code time}, arithmetic, comparisons
 * that filter, {@code and}. Two vectors are matched by all their labels.
 */
final class PromQl {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(\\d+\\.?\\d*|\"[^\"]*\"|[a-zA-Z_:][\\w:]*|=~|!~|==|!=|>=|<=|\\[\\d+[smh]]|[-+*/(){},<>=])");

    private final Scrapes scrapes;
    private final double timeS;
    private final List<String> tokens = new ArrayList<>();
    private int at;

    /** A vector, or a number, which has one sample without labels. */
    private record Value(List<Sample> samples, boolean isScalar) {
        static Value scalar(double number) {
            return new Value(List.of(new Sample("", Map.of(), number)), true);
        }

        double number() {
            return samples.get(0).value();
        }
    }

    private PromQl(String expression, Scrapes scrapes, double timeS) {
        this.scrapes = scrapes;
        this.timeS = timeS;
        Matcher matcher = TOKEN.matcher(expression);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        if (!expression.substring(end).isBlank()) {
            throw new IllegalArgumentException("not understood: " + expression.substring(end));
        }
    }

    /**
     * Evaluates an expression.
     *
     * @param expression in PromQL
     * @param scrapes what there is
     * @param timeS when
     * @return the vector; an alert is active for each of its samples
     */
    static List<Sample> evaluate(String expression, Scrapes scrapes, double timeS) {
        PromQl query = new PromQl(expression, scrapes, timeS);
        Value value = query.conjunction();
        if (query.at != query.tokens.size()) {
            throw new IllegalArgumentException(
                    "not understood: " + query.tokens.subList(query.at, query.tokens.size()) + " of " + expression);
        }
        return value.samples();
    }

    private Value conjunction() {
        Value left = comparison();
        while (accept("and")) {
            Value right = comparison();
            left = new Value(
                    left.samples().stream()
                            .filter(sample -> right.samples().stream()
                                    .anyMatch(other -> other.labels().equals(sample.labels())))
                            .toList(),
                    false);
        }
        return left;
    }

    private Value comparison() {
        Value left = sum();
        for (String operator : List.of("==", "!=", ">=", "<=", ">", "<")) {
            if (accept(operator)) {
                return filter(left, sum(), operator);
            }
        }
        return left;
    }

    private static Value filter(Value left, Value right, String operator) {
        List<Sample> kept = new ArrayList<>();
        for (Sample sample : left.samples()) {
            Double other = partner(sample, right);
            if (other != null && holds(sample.value(), operator, other)) {
                kept.add(sample);
            }
        }
        return new Value(kept, false);
    }

    private static boolean holds(double left, String operator, double right) {
        return switch (operator) {
            case "==" -> left == right;
            case "!=" -> left != right;
            case ">=" -> left >= right;
            case "<=" -> left <= right;
            case ">" -> left > right;
            case "<" -> left < right;
            default -> throw new IllegalArgumentException(operator);
        };
    }

    private Value sum() {
        Value left = product();
        while (true) {
            if (accept("+")) {
                left = combine(left, product(), Double::sum);
            } else if (accept("-")) {
                left = combine(left, product(), (a, b) -> a - b);
            } else {
                return left;
            }
        }
    }

    private Value product() {
        Value left = operand();
        while (true) {
            if (accept("*")) {
                left = combine(left, operand(), (a, b) -> a * b);
            } else if (accept("/")) {
                left = combine(left, operand(), (a, b) -> a / b);
            } else {
                return left;
            }
        }
    }

    private static Value combine(Value left, Value right, DoubleBinaryOperator operator) {
        if (left.isScalar() && right.isScalar()) {
            return Value.scalar(operator.applyAsDouble(left.number(), right.number()));
        }
        if (left.isScalar()) {
            return combine(right, left, (a, b) -> operator.applyAsDouble(b, a));
        }
        List<Sample> combined = new ArrayList<>();
        for (Sample sample : left.samples()) {
            Double other = partner(sample, right);
            if (other != null) {
                combined.add(sample.computed(operator.applyAsDouble(sample.value(), other)));
            }
        }
        return new Value(combined, false);
    }

    /** Returns the value on the other side; null when there is none. */
    private static Double partner(Sample sample, Value right) {
        if (right.isScalar()) {
            return right.number();
        }
        List<Sample> partners = right.samples().stream()
                .filter(other -> other.labels().equals(sample.labels()))
                .toList();
        if (partners.size() > 1) {
            throw new IllegalStateException("many-to-many matching of " + sample.labels());
        }
        return partners.isEmpty() ? null : partners.get(0).value();
    }

    private Value operand() {
        if (accept("(")) {
            Value inner = conjunction();
            expect(")");
            return inner;
        }
        String token = tokens.get(at++);
        if (Character.isDigit(token.charAt(0))) {
            return Value.scalar(Double.parseDouble(token));
        }
        return switch (token) {
            case "scalar" -> scalar();
            case "time" -> time();
            case "increase", "rate" -> increase(token.equals("rate"));
            case "sum", "max", "min", "count" -> aggregate(token);
            default -> new Value(scrapes.at(timeS, selector(token)), false);
        };
    }

    private Value scalar() {
        expect("(");
        Value inner = conjunction();
        expect(")");
        return Value.scalar(inner.samples().size() == 1 ? inner.number() : Double.NaN);
    }

    private Value time() {
        expect("(");
        expect(")");
        return Value.scalar(timeS);
    }

    private Value aggregate(String operator) {
        List<String> by = new ArrayList<>();
        if (accept("by")) {
            expect("(");
            while (!accept(")")) {
                by.add(tokens.get(at++));
                accept(",");
            }
        }
        expect("(");
        Value inner = conjunction();
        expect(")");
        Map<Map<String, String>, List<Double>> groups = new HashMap<>();
        for (Sample sample : inner.samples()) {
            Map<String, String> labels = new TreeMap<>(sample.labels());
            labels.keySet().retainAll(by);
            groups.computeIfAbsent(labels, group -> new ArrayList<>()).add(sample.value());
        }
        List<Sample> aggregated = new ArrayList<>();
        groups.forEach((labels, values) -> aggregated.add(new Sample("", labels, aggregate(operator, values))));
        return new Value(aggregated, false);
    }

    private static double aggregate(String operator, List<Double> values) {
        return switch (operator) {
            case "sum" -> values.stream().mapToDouble(value -> value).sum();
            case "max" -> values.stream().mapToDouble(value -> value).max().orElseThrow();
            case "min" -> values.stream().mapToDouble(value -> value).min().orElseThrow();
            case "count" -> values.size();
            default -> throw new IllegalArgumentException(operator);
        };
    }

    private Value increase(boolean isRate) {
        expect("(");
        Predicate<Sample> wanted = selector(tokens.get(at++));
        double rangeS = seconds(tokens.get(at++));
        expect(")");
        List<Sample> increases = new ArrayList<>();
        for (Scrapes.Range range : scrapes.within(timeS - rangeS, timeS, wanted)) {
            if (range.values().size() >= 2) {
                double increase = Increase.of(range.values(), timeS - rangeS, timeS);
                increases.add(range.series().computed(isRate ? increase / rangeS : increase));
            }
        }
        return new Value(increases, false);
    }

    private static double seconds(String range) {
        double count = Double.parseDouble(range.substring(1, range.length() - 2));
        return switch (range.charAt(range.length() - 2)) {
            case 's' -> count;
            case 'm' -> 60 * count;
            default -> 3_600 * count;
        };
    }

    private Predicate<Sample> selector(String metric) {
        Predicate<Sample> wanted = sample -> sample.name().equals(metric);
        if (accept("{")) {
            while (!accept("}")) {
                wanted = wanted.and(condition());
                accept(",");
            }
        }
        return wanted;
    }

    private Predicate<Sample> condition() {
        String label = tokens.get(at++);
        String operator = tokens.get(at++);
        String quoted = tokens.get(at++);
        String value = quoted.substring(1, quoted.length() - 1);
        return sample -> {
            String found = sample.labels().getOrDefault(label, "");
            return switch (operator) {
                case "=" -> found.equals(value);
                case "!=" -> !found.equals(value);
                case "=~" -> found.matches(value);
                case "!~" -> !found.matches(value);
                default -> throw new IllegalArgumentException(operator);
            };
        };
    }

    private boolean accept(String token) {
        boolean isNext = at < tokens.size() && tokens.get(at).equals(token);
        if (isNext) {
            at++;
        }
        return isNext;
    }

    private void expect(String token) {
        if (!accept(token)) {
            throw new IllegalArgumentException("expected " + token + " at " + tokens.subList(at, tokens.size()));
        }
    }
}
