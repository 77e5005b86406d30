/** SQL over the archive and the report files of a node, and the tool around it. */
package io.sealbook.books;
