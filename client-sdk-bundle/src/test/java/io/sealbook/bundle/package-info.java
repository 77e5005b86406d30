/** Looks at the finished jar: what is in it, under which names, and whether it works with nothing beside it. */
package io.sealbook.bundle;
