// Package tui owns the state of the screen: it receives messages, starts work
// and projects what is known to a views.Screen.
//
// Model is the only tea.Model and the only owner of state that changes. A
// session is followed by a track: events of its source wait until the lane is
// free, then one kernel job takes them all. Everything that reads, or takes
// longer than a millisecond, runs in a command and comes back as a message.
package tui
