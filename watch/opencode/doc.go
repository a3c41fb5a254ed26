// Package opencode reads the sessions that opencode keeps in its database or,
// as its older versions did, in a folder of JSON files. It only ever reads.
package opencode
