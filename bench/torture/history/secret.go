package history

// What opens a door: a token, a code, the secret of a client. It is told as a name that no client else has, never as itself.

// Issue is a secret that was given to a user, who knows it from its end on. Once is set of a code, which is good for one use.
type Issue struct {
	Span
	Secret string `json:"secret"`
	Once   bool   `json:"once,omitempty"`
}

// Use is an attempt to open the door: acknowledged when it opened, refused when it stayed shut.
type Use struct {
	Span
	Outcome Outcome `json:"outcome"`
	Secret  string  `json:"secret"`
}

// End takes secrets back: a session is ended, a client removed, a password reset, a code spent for the second time.
type End struct {
	Span
	Outcome Outcome  `json:"outcome"`
	Secrets []string `json:"secrets"`
}

// secretLife is what happened to one secret.
type secretLife struct {
	issue *Issue
	uses  []*Use
	ends  []*End
}

// checkSecrets looks whether what was given is good, what was taken back stays so, and what is good once is used once.
func (c *checker) checkSecrets() {
	lives := map[string]*secretLife{}
	for _, i := range c.h.Issues {
		lives[i.Secret] = &secretLife{issue: i}
	}
	for _, u := range c.h.Uses {
		if l := lives[u.Secret]; l != nil {
			l.uses = append(l.uses, u)
		}
	}
	for _, e := range c.h.Ends {
		for _, name := range e.Secrets {
			if l := lives[name]; l != nil {
				l.ends = append(l.ends, e)
			}
		}
	}
	for _, i := range c.h.Issues {
		c.checkSecret(lives[i.Secret])
	}
}

func (c *checker) checkSecret(l *secretLife) {
	opened := 0
	for _, u := range l.uses {
		switch u.Outcome {
		case Acknowledged:
			if opened++; opened == 2 && l.issue.Once {
				c.report(Once, "%s, which is good once, was used again at %d", l.issue.Secret, u.Begin)
			}
			for _, e := range l.ends {
				if e.Outcome == Acknowledged && e.before(u.Span) {
					c.report(Kept, "%s was taken back at %d and is good at %d", l.issue.Secret, e.End, u.Begin)
				}
			}
		case Refused:
			if !l.touched(u) {
				c.report(Kept, "%s was given at %d and is refused at %d", l.issue.Secret, l.issue.End, u.Begin)
			}
		}
	}
}

// touched reports whether a use may be refused: a user has taken the secret back, or used it up, or may have.
func (l *secretLife) touched(u *Use) bool {
	for _, e := range l.ends {
		if e.Outcome != Refused && e.Begin < u.End {
			return true
		}
	}
	for _, other := range l.uses {
		if l.issue.Once && other != u && other.Outcome != Refused && other.Begin < u.End {
			return true
		}
	}
	return !l.issue.before(u.Span)
}
