package sqlstore

import "time"

// WaitFor sets how long Await waits from what it heard last.
func (p *Presence) WaitFor(patience time.Duration) { p.patience = patience }
