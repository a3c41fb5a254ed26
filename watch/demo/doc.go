// Package demo plays the embedded session as if an agent were writing it.
//
// The session is a file in Pi's format that is never written to disk: its
// bytes go through the same line splitter, decoder and kernel as those of any
// other file.
package demo
