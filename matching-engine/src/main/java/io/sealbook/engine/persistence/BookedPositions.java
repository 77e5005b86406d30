package io.sealbook.engine.persistence;

import java.util.List;

/**
 * The positions of an account.
 *
 * @param asOfBlock last block that is in them; 0 if the database has none
 * @param positions by instrument, of those in which the account has traded
 */
public record BookedPositions(long asOfBlock, List<PositionRecord> positions) {}
