-- Acknowledgements of messages that asked for receipts, in the log of the sender. They go with their message.
CREATE TABLE receipt (
	sender    INTEGER NOT NULL,
	at        INTEGER NOT NULL,
	message   INTEGER NOT NULL,
	recipient INTEGER NOT NULL,
	device    TEXT NOT NULL,
	state     INTEGER NOT NULL,
	received  INTEGER NOT NULL,
	PRIMARY KEY (sender, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_by_message ON receipt (message);
