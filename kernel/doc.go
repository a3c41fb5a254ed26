// Package kernel decides, from a log and a state, what could be compressed,
// what the nudge does and why, and what a compress call would do.
//
// It is pure: no clock, randomness, logging, lock or I/O; equal arguments
// give equal results, and no function changes its arguments. Time is data
// (epoch milliseconds from the transcript). Decisions, verdicts and sentences
// are those of acp-kernel, the behavioural reference.
package kernel
