package auth

import (
	"edict/platform/fault"
	"edict/platform/names"
)

// CheckIssuers reports what is wrong with the external issuers of the options. It asks no issuer.
func CheckIssuers(opts Options) error {
	_, err := newIssuers(opts.withDefaults())
	return err
}

// Check reports what is wrong with a client before a store is opened or created for it.
func (n *NewClient) Check() error {
	_, err := n.check()
	return err
}

// Check reports what is wrong with a user before a store is opened or created for it.
func (n *NewUser) Check() error {
	if _, err := names.User(n.Name); err != nil {
		return fault.New(fault.Invalid, "username: %s", err)
	}
	if n.ID != "" {
		if err := checkID(n.ID); err != nil {
			return err
		}
	}
	if n.Password != "" {
		return checkPassword("password", n.Password)
	}
	return nil
}
