package io.sealbook.books.table;

import java.math.BigInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBWritableVector;

/**
 * A column of a table.
 *
 * @param name in SQL
 * @param type in SQL
 * @param cell writes the value of a row
 * @param <R> a row
 */
public record Column<R>(String name, DuckDBColumnType type, Cell<R> cell) {
    private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(Long.SIZE);

    /**
     * Writes one value.
     *
     * @param <R> a row
     */
    @FunctionalInterface
    public interface Cell<R> {
        /**
         * Writes the value of a row.
         *
         * @param vector receives it
         * @param at its place there
         * @param row that has it
         */
        void write(DuckDBWritableVector vector, long at, R row);
    }

    /**
     * A count, a price in ticks, a quantity in lots or a time in nanoseconds since 1970: BIGINT.
     *
     * @param name in SQL
     * @param value of a row
     */
    static <R> Column<R> number(String name, ToLongFunction<R> value) {
        return new Column<>(
                name, DuckDBColumnType.BIGINT, (vector, at, row) -> vector.setLong(at, value.applyAsLong(row)));
    }

    /**
     * A number that 0 stands in for where there is none: BIGINT, null where it is 0.
     *
     * @param name in SQL
     * @param value of a row
     */
    static <R> Column<R> numberOrNull(String name, ToLongFunction<R> value) {
        return new Column<>(name, DuckDBColumnType.BIGINT, (vector, at, row) -> {
            long number = value.applyAsLong(row);
            if (number == 0) {
                vector.setNull(at);
            } else {
                vector.setLong(at, number);
            }
        });
    }

    /**
     * A number below 2^31, such as a place in a block: INTEGER.
     *
     * @param name in SQL
     * @param value of a row
     */
    static <R> Column<R> place(String name, ToIntFunction<R> value) {
        return new Column<>(
                name, DuckDBColumnType.INTEGER, (vector, at, row) -> vector.setInt(at, value.applyAsInt(row)));
    }

    /**
     * An unsigned id of 32 bits: UINTEGER.
     *
     * @param name in SQL
     * @param value of a row, as bits
     */
    static <R> Column<R> id(String name, ToIntFunction<R> value) {
        return new Column<>(
                name,
                DuckDBColumnType.UINTEGER,
                (vector, at, row) -> vector.setUint32(at, Integer.toUnsignedLong(value.applyAsInt(row))));
    }

    /**
     * An unsigned id of 64 bits, which brokers choose: UBIGINT, null where it is 0.
     *
     * @param name in SQL
     * @param value of a row, as bits
     */
    static <R> Column<R> longId(String name, ToLongFunction<R> value) {
        return new Column<>(name, DuckDBColumnType.UBIGINT, (vector, at, row) -> {
            long bits = value.applyAsLong(row);
            if (bits == 0) {
                vector.setNull(at);
            } else {
                BigInteger number = BigInteger.valueOf(bits);
                vector.setUint64(at, bits > 0 ? number : number.add(TWO_TO_64));
            }
        });
    }

    /**
     * A name of a code, or a digest in hexadecimal: VARCHAR.
     *
     * @param name in SQL
     * @param value of a row
     */
    static <R> Column<R> text(String name, Function<R, String> value) {
        return new Column<>(
                name, DuckDBColumnType.VARCHAR, (vector, at, row) -> vector.setString(at, value.apply(row)));
    }
}
