-- Mark of the engine directory whose outputs the tables hold; NULL until an engine that writes marks has opened them.
ALTER TABLE journal_position ADD COLUMN engine_mark VARCHAR(36);
