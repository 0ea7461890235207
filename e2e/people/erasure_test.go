package people_test

// Erasure and the files of the data directory.

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"edict/cli"
	"edict/e2e"
)

// TestErasedIsInNoFile: after a user was erased and the server stopped, no file of the data directory and no backup made since holds anything
// the user wrote. "zqx" marks it, also as a trigram of the channel index; the user id stays in the audit trail.
func TestErasedIsInNoFile(t *testing.T) {
	t.Parallel()
	const mark = "zqx"
	server := e2e.Start(t, e2e.Options{Configure: func(c *cli.Config) {
		c.Push.Permit = []string{"127.0.0.1"}
	}})
	tokens := e2e.Tokens(server.Data)
	ann, bob, boss := tokens(t, "ann@phone"), tokens(t, "bob"), tokens(t, "admin")
	p := &livingPerson{t: t, url: server.URL}
	p.must("POST", e2e.MessageAPI+"/channels", bob, `{"channelName":"town"}`)
	for _, name := range []string{"club", "past"} { // one is deleted before
		name += mark
		p.must("POST", e2e.MessageAPI+"/channels", ann, `{"channelName":"`+name+`","privateChannel":true,"description":"about `+mark+`","tags":["`+mark+`"]}`)
		p.must("PUT", e2e.MessageAPI+"/channels/ann%23"+name+"/subscribe", bob, "")
		p.must("POST", e2e.MessageAPI+"/channels/ann%23"+name+"/items", ann, `{"content":{"word":"`+mark+` in private"}}`)
	}
	p.must("DELETE", e2e.MessageAPI+"/channels/ann%23past"+mark, ann, "")
	p.must("POST", e2e.MessageAPI+"/devices", ann, `{"deviceId":"phone","label":"`+mark+`","push":{"service":"webpush","endpoint":"http://127.0.0.1:9/`+mark+`","keys":`+e2e.NewPushKeys(t).JSON()+`}}`)
	p.must("PATCH", "/auth/users/ann", ann, `{"displayName":"`+mark+`","avatarUrl":"https://example.org/`+mark+`.png"}`)
	p.must("POST", e2e.MessageAPI+"/messages/send_to_user_ids", ann, `{"recipientUserIds":["bob"],"content":{"word":"`+mark+`"},"metadata":{"about":"`+mark+`"},"idempotencyKey":"`+mark+`"}`)
	for i := range 300 { // in pages shared with others
		author, word := ann, mark
		if i%3 == 0 {
			author, word = bob, "bob"
		}
		p.must("POST", e2e.MessageAPI+"/channels/town/items", author, fmt.Sprintf(`{"content":{"word":"%[1]s%[2]s"},"messageType":"%[1]s","idempotencyKey":"%[1]s-%[3]d"}`, word, strings.Repeat("x", i*7919%900), i))
	}

	p.must("DELETE", "/auth/users/ann?content=true", boss, "")
	backup := filepath.Join(t.TempDir(), "backup.db")
	e2e.Run(t, "", "backup", backup, "--data", server.Data)
	if err := server.Stop(); err != nil {
		t.Fatal(err)
	}
	files := []string{backup}
	err := filepath.WalkDir(server.Data, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.ToLower(content)
		for range 3 {
			at := bytes.Index(content, []byte(mark))
			if at < 0 {
				break
			}
			t.Errorf("%s holds %q", filepath.Base(file), content[max(0, at-40):min(len(content), at+40)])
			content = content[at+1:]
		}
	}
}
