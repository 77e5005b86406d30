package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The words of a script for batches: a letter is a session of broker 1, a number after it the batch, 1 if there is
 * none, and a capital letter another batch under that number. {@code 2.c3B} is of broker 2.
 */
final class ScriptBatches {
    private static final Pattern BATCH = Pattern.compile("(?:([1-9]\\d*)\\.)?([a-z])(\\d*)([A-Z]?)");

    private final Map<SessionEnd, String> names = new HashMap<>();

    /** Returns the batch of a word. */
    SessionEnd end(String word) {
        Matcher parts = parts(word);
        int broker = parts.group(1) == null ? 1 : Integer.parseInt(parts.group(1));
        long sessionKey = SessionKey.of(broker, parts.group(2).charAt(0) - 'a');
        long number = parts.group(3).isEmpty() ? 1 : Long.parseLong(parts.group(3));
        SessionEnd end = new SessionEnd(sessionKey, number, id(word));
        names.put(end, word);
        return end;
    }

    private static Matcher parts(String word) {
        Matcher parts = BATCH.matcher(word);
        if (!parts.matches() || parts.group(3).equals("1") || parts.group(3).startsWith("0")) {
            throw new AssertionError("'" + word + "' is no batch: [<broker>.]<letter>[<number from 2>][<capital>]");
        }
        return parts;
    }

    private static Digest id(String word) {
        return Digest.sha256(("batch " + word).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the batch before the one of a word, of the same version; null if that is the first of its session. */
    static String before(String word) {
        Matcher parts = parts(word);
        if (parts.group(3).isEmpty()) {
            return null;
        }
        long before = Long.parseLong(parts.group(3)) - 1;
        String session = word.substring(0, parts.end(2));
        return session + (before == 1 ? "" : before) + parts.group(4);
    }

    /** Returns the id of the batch of a word; zeros if there is no word. */
    Digest idOrZero(String wordOrNull) {
        return wordOrNull == null ? Digest.ZERO : end(wordOrNull).id();
    }

    /** Returns the range of words like {@code a2..a4}, or of the last batch alone. */
    BatchRange range(String words, String afterOrNull) {
        String[] both = words.split("\\.\\.", 2);
        SessionEnd first = end(both[0]);
        SessionEnd last = end(both[both.length - 1]);
        String after = afterOrNull == null ? before(both[0]) : afterOrNull;
        return new BatchRange(last, first.number() - 1, idOrZero(after));
    }

    String text(SessionEnd end) {
        return names.computeIfAbsent(end, SessionEnd::toString);
    }

    String text(List<SessionEnd> ends) {
        return ends.stream().map(this::text).collect(Collectors.joining(" "));
    }

    /** Returns the range; its predecessor only if that is of another version than the last batch. */
    String text(BatchRange range) {
        String last = text(range.last());
        String first = last;
        while (end(first).number() > range.after() + 1) {
            first = before(first);
        }
        String words = first.equals(last) ? last : first + ".." + last;
        String before = before(first);
        return range.afterId().equals(idOrZero(before))
                ? words
                : words + " after " + text(new SessionEnd(range.sessionKey(), range.after(), range.afterId()));
    }
}
