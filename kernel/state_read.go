package kernel

// Blocks are all blocks of the state in the order of their making.
func (s State) Blocks() []Block { return s.all() }

// Stamps are the nudge's stamps.
func (s State) Stamps() NudgeState { return s.nudge }

// Stats are the session's totals.
func (s State) Stats() Stats { return s.stats }

// Refs gives the printed ref of each message that has one, by its id:
// "m00012", or "BLOCKED" for one that is never folded.
func (s State) Refs() map[string]string {
	out := messageRefs{ByRaw: map[string]string{}, ByRef: map[string]string{}}
	if s.refs != nil {
		s.refs.writeRefs(out)
	}
	return out.ByRaw
}
