package io.sealbook.pbft;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One line of a script as a row of words, read from left to right; each bracket is a word. */
final class ScriptLine {
    private static final Pattern WORD = Pattern.compile("[\\[\\]()]|[^\\s\\[\\]()]+");

    private final String place;
    private final String text;
    private final List<String> words = new ArrayList<>();
    private int next;

    /**
     * Splits a line.
     *
     * @param file name for messages
     * @param number of the line, from 1
     * @param text without a line end
     */
    ScriptLine(String file, int number, String text) {
        this.place = file + ":" + number;
        this.text = text.strip();
        for (Matcher matcher = WORD.matcher(text); matcher.find(); ) {
            words.add(matcher.group());
        }
    }

    String place() {
        return place;
    }

    String text() {
        return text;
    }

    boolean hasMore() {
        return next < words.size();
    }

    boolean isNext(String word) {
        return hasMore() && words.get(next).equals(word);
    }

    /** Takes the next word if it is this one. */
    boolean take(String word) {
        boolean isTaken = isNext(word);
        if (isTaken) {
            next++;
        }
        return isTaken;
    }

    String word(String meaning) {
        if (!hasMore()) {
            throw fault("ends where it must name " + meaning);
        }
        return words.get(next++);
    }

    /** Puts the last word back. */
    void back() {
        next--;
    }

    void expect(String word) {
        String found = word("'" + word + "'");
        if (!found.equals(word)) {
            throw fault("has '" + found + "' instead of '" + word + "'");
        }
    }

    /** Returns the number after a prefix, as in {@code v3} or {@code n17}. */
    long number(String prefix, String meaning) {
        String found = word(meaning);
        try {
            if (found.startsWith(prefix)) {
                return Long.parseLong(found.substring(prefix.length()));
            }
        } catch (NumberFormatException e) {
            throw fault("has '" + found + "' instead of " + meaning + ", " + prefix + "<number>");
        }
        throw fault("has '" + found + "' instead of " + meaning + ", " + prefix + "<number>");
    }

    /** Returns a list of replicas, as in {@code 0,2,3}; empty for a dash. */
    List<Integer> replicas(String meaning) {
        String found = word(meaning);
        List<Integer> replicas = new ArrayList<>();
        if (!found.equals("-")) {
            for (String replica : found.split(",")) {
                try {
                    replicas.add(Integer.parseInt(replica));
                } catch (NumberFormatException e) {
                    throw fault("has '" + found + "' instead of " + meaning + ", replicas with commas or '-'");
                }
            }
        }
        return replicas;
    }

    /** Returns all words that are left. */
    List<String> rest() {
        List<String> rest = List.copyOf(words.subList(next, words.size()));
        next = words.size();
        return rest;
    }

    void end() {
        if (hasMore()) {
            throw fault("goes on after its end with '" + words.get(next) + "'");
        }
    }

    AssertionError fault(String fact) {
        return new AssertionError(place + ": the line " + fact + ": " + text);
    }
}
