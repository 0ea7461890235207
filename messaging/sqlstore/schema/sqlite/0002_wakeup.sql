-- When the device of a copy was last sent a wake-up for it, 0 for never.
ALTER TABLE delivery ADD COLUMN woken INTEGER NOT NULL DEFAULT 0;

-- Copies that a change of the device's push target concerns (PENDING, WAKEUP_REQUIRED, WAKEUP_SENT), and wake-ups by age.
CREATE INDEX delivery_by_device ON delivery (recipient, device, state, message) WHERE state <= 3;
CREATE INDEX delivery_woken ON delivery (woken) WHERE state = 3;

-- The queue of wake-ups: devices that are to be woken. due is when one may be taken; lease is its holder, 0 for nobody.
CREATE TABLE wakeup (
	person   INTEGER NOT NULL,
	device   TEXT NOT NULL,
	service  TEXT NOT NULL,
	due      INTEGER NOT NULL,
	lease    INTEGER NOT NULL,
	attempts INTEGER NOT NULL,
	PRIMARY KEY (person, device)
) STRICT;
CREATE INDEX wakeup_by_due ON wakeup (service, due);

INSERT INTO wakeup (person, device, service, due, lease, attempts)
	SELECT DISTINCT d.recipient, d.device, v.push_service, 0, 0, 0
	FROM delivery d JOIN device v ON v.person = d.recipient AND v.device = d.device
	WHERE d.state = 2 AND v.push_service <> '';
