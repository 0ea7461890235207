package stdlib

import (
	"crypto/md5"  //nolint:gosec // what packages ask for, to tell contents apart
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"

	py "edict/simulation/pyeval"
)

// hashes are the functions of hashlib.
var hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// hashlibTable is module hashlib.
func hashlibTable() py.Table {
	t := py.Table{"new": py.Pure("new", func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
		var name string
		data := py.BytesValue("")
		th.Unpack("new", args, kws, "name", &name, "data?", &data)
		if hashes[name] == nil {
			th.Raise(py.ValueError, "unsupported hash type %s", name)
		}
		return newHash(th, name, data)
	})}
	for name := range hashes {
		t[name] = py.Pure(name, func(th *py.Thread, args []py.Value, kws []py.Kw) py.Value {
			data, secure := py.BytesValue(""), true
			th.Unpack(name, args, kws, "string?", &data, "usedforsecurity?", &secure)
			return newHash(th, name, data)
		})
	}
	return t
}

// hashObject is the hash of the bytes it was given so far.
type hashObject struct {
	name   string
	digest hash.Hash
}

var hashType = py.BuiltinClass("hash")

func newHash(th *py.Thread, name string, data py.Value) py.Value {
	o := &hashObject{name, hashes[name]()}
	o.write(th, data)
	return py.Obj(o)
}

// Type implements [py.Object].
func (*hashObject) Type() *py.Class { return hashType }

func (o *hashObject) write(th *py.Thread, data py.Value) {
	b, ok := data.Object().(py.Bytes)
	if !ok {
		th.Raise(py.TypeError, "object supporting the buffer API required, not %s", py.TypeName(data))
	}
	th.Tick(len(b) / 64)
	o.digest.Write([]byte(b))
}

// Attr implements [py.Attrer].
func (o *hashObject) Attr(_ *py.Thread, name string) (py.Value, bool) {
	result := func(f func() py.Value) (py.Value, bool) {
		return py.Pure(name, func(*py.Thread, []py.Value, []py.Kw) py.Value { return f() }), true
	}
	switch name {
	case "update":
		return py.Pure(name, func(th *py.Thread, args []py.Value, _ []py.Kw) py.Value {
			o.write(th, th.OnlyArg(name, args))
			return py.None
		}), true
	case "digest":
		return result(func() py.Value { return py.BytesValue(string(o.digest.Sum(nil))) })
	case "hexdigest":
		return result(func() py.Value { return py.String(hex.EncodeToString(o.digest.Sum(nil))) })
	case "name":
		return py.String(o.name), true
	case "digest_size":
		return py.Int(int64(o.digest.Size())), true
	}
	return py.Value{}, false
}
