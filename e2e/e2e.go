// Package e2e starts the real server, in process or as the built binary, on a free port with a data directory of
// its own, and runs golden HTTP files against it.
//
// The packages below this one hold the tests, one package per subject.
//
// Start returns a server that runs inside the test; StartBinary one that is a process and takes signals. Both end
// with the test. RunGolden runs the files that match a pattern; every file is a subtest, -update rewrites them.
//
// # Golden files
//
// A golden file is a txtar archive. Each request is a section with a name of its own, followed by a section named
// want that holds the answer. What stands before the first section is a comment.
//
//	A channel can be read by its owner.
//
//	-- create a channel --
//	POST /message/api/v2/channels as alice
//
//	{"channelName": "{{channel}}"}
//	-- want --
//	200
//	Content-Type: application/json
//
//	{"code": 200, "id": "<id channel>", "created": "<time>"}
//	-- read it --
//	GET /message/api/v2/channels/{{channel}} as alice
//	-- want --
//	200
//
//	{"name": "news", "<more>": "<any>"}
//
// A request is its method and path, headers if any, an empty line and a body if any. "as NAME" signs it with the
// token that Golden.Token gives for NAME. A body that looks like JSON is sent as application/json unless the request
// has a Content-Type; a header without a value is not sent. {{name}} is replaced by a variable, {{repeat 1048576 x}} by
// that many x.
//
// An answer is its status, the headers to look at, an empty line and a body. Headers that are not listed do not matter,
// nor does their order; "!Name" says that there must be none. JSON is compared by structure: space and order of keys do
// not matter. An answer without a body in the file must have none; the body <any> matches every one.
//
// Placeholders stand for what changes from run to run, in headers, in texts, and in JSON as strings:
//
//	<any>     anything; as a JSON value, also null, an object or a list
//	<id>      letters, digits and any of . _ ~ : # @ -
//	<time>    a time as in RFC 3339
//	<number>  a JSON number
//	<string>  a string that is not empty
//
// A second word names a variable: "<id channel>" keeps what was there for {{channel}} in later requests and
// answers; where the variable has a value already, the answer must have the same. The key "<more>" of an object, or the last
// item "<more>" of a list, allows for more of them.
//
// With -update every want section is rewritten from the answer: the headers it lists are kept (a new section gets those
// that matter), placeholders that still match stay, and values of variables are written as {{name}}. Read the result
// before you commit it.
package e2e
