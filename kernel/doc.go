// Package kernel decides, from a log and a state, what could be compressed,
// what the nudge does and why, and what a compress call would do.
//
// It is pure: no clock, randomness, logging, lock or I/O; equal arguments
// give equal results, and no function changes its arguments. Time is data
// (epoch milliseconds from the transcript). Decisions, verdicts and sentences
// are those of acp-kernel, the behavioural reference.
//
// A session is followed by Advance: a Run shows what is sent, what could be
// folded and what the next request would be told (Now), what every finished
// turn decided (Turns) and what became of every compress call (Folds). Check
// and Apply say what the executor would do. Where a host's own state can be
// read, FromHost judges the same list by it. Beside the decision, and never
// inside it, stand three answers for hosts and people: Plan finds small pieces
// that the executor takes as they are, NudgeText renders what a host would send
// and NudgeCosts adds it up, and Guard says whether a host that protects itself
// against loops would send it.
package kernel
