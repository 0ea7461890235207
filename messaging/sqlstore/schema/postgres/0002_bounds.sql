-- How long items are kept, in seconds, 0 for the server's default, and when the sweeper has to look at the channel for that (ms), 0 for never.
ALTER TABLE channel ADD COLUMN max_age bigint NOT NULL DEFAULT 0;
ALTER TABLE channel ADD COLUMN aging bigint NOT NULL DEFAULT 0;
CREATE INDEX channel_aging ON channel (aging) WHERE aging <> 0;

-- The bytes of content that a channel keeps. As kept it is exact for the items up to counted.
ALTER TABLE channel ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
UPDATE channel SET bytes = kept_bytes.n FROM
	(SELECT i.channel, sum(length(i.content)) AS n FROM item i JOIN channel c ON c.id = i.channel
	WHERE i.at > c.floor AND i.at <= c.counted GROUP BY i.channel) AS kept_bytes
	WHERE kept_bytes.channel = channel.id;
CREATE INDEX channel_by_bytes ON channel (bytes) WHERE bytes > 0;
