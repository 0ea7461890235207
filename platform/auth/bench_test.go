package auth

import (
	"testing"
)

// BenchmarkAuthenticate measures what a request pays for its caller.
//
//	go test ./platform/auth -run - -bench Authenticate -benchmem
func BenchmarkAuthenticate(b *testing.B) {
	w := newWorld(b, Options{})
	token := w.token(w.user("alice", "alice", false))
	ctx := b.Context()
	b.Run("remembered", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.Authenticate(ctx, token); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("remembered-parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := w.Authenticate(ctx, token); err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("verified", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := w.verify(ctx, token, typeAccess); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("issued", func(b *testing.B) {
		u := User{ID: "alice"}
		for b.Loop() {
			if _, err := w.IssueToken(Grant{User: u}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
