// Package pyindex finds and downloads packages that are published in Python package indexes, without Python.
//
// Config says where to look: it is read from pip's own configuration (FromPip), so that whoever can install with pip can
// install with edict. Client asks indexes in the two forms they speak (PEP 691 JSON, PEP 503 HTML) and directories of files;
// Version, Specifier and Requirement are the versions, ranges and dependencies of PEP 440 and PEP 508, as far as a choice
// without a Python interpreter needs them; Choose picks a file.
//
// A downloaded file is what the index promised, byte for byte, or an error: a file without a hash from an
// index is refused. Credentials come from the URL or from netrc; no error or log shows them. No address of an index
// is built in.
package pyindex
