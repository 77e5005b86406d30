package io.sealbook.books.table;

import java.util.List;
import java.util.function.Function;

/**
 * A table over the files of a node.
 *
 * @param name in SQL
 * @param columns in their order
 * @param rows opens the rows of blocks
 * @param <R> a row
 */
public record BookTable<R>(String name, List<Column<R>> columns, Function<BlockSpan, Rows<R>> rows) {}
