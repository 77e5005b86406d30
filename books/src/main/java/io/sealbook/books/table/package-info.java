/** Files of a node as tables of DuckDB: what a row is, what its columns are, and how a query reads them. */
package io.sealbook.books.table;
