// Package image writes a graph of Go values as bytes and reads it back: what took long to make need not be made again.
//
// A [Codec] is made for the type of the root and the types that interfaces in the graph may hold. [Codec.Write] follows every
// pointer, slice, map and interface from the root, fields that are not exported too; what is met twice is written once.
// [Codec.Read] makes the same graph. What a graph shares with the process that reads it, such as functions written in Go, is
// named by both sides ([Outside]) and not written.
//
// An image is for the build that wrote it: it says nothing of types. What cannot be written, a function or a channel, is an
// error of Write; so is a type that an interface holds and the codec was not made for.
package image
