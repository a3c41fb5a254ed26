// Package headless runs a transcript through the kernel and writes what it
// finds, without a screen.
//
// Names in JSON are the kernel's. Token counts are those of the counter that
// the output names, sizes are UTF-16 chars.
package headless
