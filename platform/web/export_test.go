package web

import "context"

// ContextWithCaller returns a context whose caller is c.
func ContextWithCaller(ctx context.Context, c *Caller) context.Context {
	return &exchange{Context: ctx, caller: c}
}

// RequestID returns the id of the request that ctx belongs to, "" when it belongs to none.
func RequestID(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.id
	}
	return ""
}
