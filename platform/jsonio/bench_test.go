package jsonio_test

import (
	"encoding/json"
	"testing"

	"edict/platform/jsonio"
)

// publish has the shape and size of a publish: the hot path of the binary.
const publish = `{"messageType":"text","contentType":"application/json","content":{"text":"The quick brown fox jumps over the lazy dog","sequence":123456,"temperature":21.5,"tags":["one","two","three"],"nested":{"a":true,"b":null,"c":"d"},"more":"Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod"}}`

type publishBody struct {
	MessageType string          `json:"messageType"`
	ContentType string          `json:"contentType"`
	Content     json.RawMessage `json:"content"`
}

func BenchmarkDecode(b *testing.B) {
	data := []byte(publish)
	b.Run("jsonio", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			var v publishBody
			if err := (jsonio.Rules{}).Decode(data, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encodingjson", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			var v publishBody
			if err := json.Unmarshal(data, &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
