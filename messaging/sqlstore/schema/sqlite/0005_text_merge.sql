-- A search looks for each of its trigrams in every segment of the index, so there are to be few: two of a
-- size are merged, where SQLite would wait for four.
INSERT INTO channel_text (channel_text, rank) VALUES ('automerge', 2);
