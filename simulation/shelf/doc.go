// Package shelf keeps the country packages and extensions that were installed by name, in one directory:
//
//	NAME.json               what is installed under that name, and in which directory
//	NAME-VERSION.DIGEST/    the unpacked files of one archive, named after what is in it
//
// A directory is unpacked beside its place and renamed into it when it is complete; then NAME.json is replaced in one
// step. So at any moment, and after a crash, a name means one whole package, the old or the new. An archive cannot write
// outside of its directory, nor unpack to more than the shelf allows, nor bring links.
//
// Shelf is the directory, Item one installed package, Index where packages come from (pyindex.Client).
package shelf
