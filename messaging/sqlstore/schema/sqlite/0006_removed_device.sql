-- Devices that their users removed, and when: tokens from before do not register them again.
CREATE TABLE removed_device (
	person  INTEGER NOT NULL,
	device  TEXT NOT NULL,
	removed INTEGER NOT NULL,
	PRIMARY KEY (person, device)
) STRICT, WITHOUT ROWID;
