package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// refusedWhole asks the size gate, which judges the call as a whole over what
// was asked for, before anything is taken in or left out.
func (e *execution) refusedWhole() bool {
	if !e.k.gated() || len(e.parts) == 0 || e.allRefold() {
		return false
	}
	var sum, counted int
	for i := range e.parts {
		p := &e.parts[i]
		if p.failure != "" || p.skipped {
			continue
		}
		if p.block { // one block range lifts the gate
			return false
		}
		counted++
		picked := e.verdict.Ranges[i].Picked
		sum += e.k.size(picked.Chars, picked.Tokens)
	}
	gate := e.k.sizeGate(sum)
	e.verdict.Gate = &gate
	if gate.Holds {
		return false
	}
	e.refuse(sum, counted)
	return true
}

// sizeGate is the size rule asked of a size, with its operands.
func (k *Kernel) sizeGate(size int) Gate {
	return newGate("size", float64(size), ">=", float64(k.config.Compress.MinCompressRange), string(k.gateUnit()))
}

// SizeGate is the size gate asked of so many chars and tokens, of which it
// measures those in its unit. Without a size gate it holds.
func (k *Kernel) SizeGate(chars Chars, tokens Tokens) Gate { return k.sizeGate(k.size(chars, tokens)) }

func (k *Kernel) gateUnit() GateUnit {
	if k.config.GateUnit == GateTokens {
		return GateTokens
	}
	return GateChars
}

// allRefold reports whether every range asks to rewrite blocks and may.
func (e *execution) allRefold() bool {
	for i := range e.parts {
		p := &e.parts[i]
		candidate := p.failure == failsConsumed || p.failure == "" && !p.block && e.allCovered(p.positions)
		if !candidate || !p.refold.may() {
			return false
		}
	}
	return true
}

// refuse writes the gate's message and each unresolved range's error.
func (e *execution) refuse(sum, counted int) {
	code, message := e.gateMessage(sum, counted)
	e.untraced = message == ""
	e.verdict.Warnings = []string{}
	if message != "" {
		for i := range e.parts {
			if p := &e.parts[i]; p.failure == "" && !p.skipped && p.reversed != "" {
				message += " " + p.reversed
			}
		}
		e.verdict.Errors = append(e.verdict.Errors, message)
	}
	for i := range e.parts {
		p, v := &e.parts[i], &e.verdict.Ranges[i]
		v.Kind, v.Code, v.Sentence = Refused, code, message
		if p.failure == failsUnknown || p.failure == failsInvalid {
			v.Code, v.Sentence = string(p.failure)+"-ref", p.message
			e.verdict.Errors = append(e.verdict.Errors, p.failed(p.message))
		}
	}
}

// gateMessage is the first message that fits, and its kind.
func (e *execution) gateMessage(sum, counted int) (code, message string) {
	ok, unknown := 0, 0
	var consumed *part
	var dead []string
	for i := range e.parts {
		p := &e.parts[i]
		switch p.failure {
		case "":
			ok++
		case failsUnknown:
			unknown++
		case failsConsumed:
			if consumed == nil {
				consumed = p
			}
			dead = append(dead, p.dead...)
		}
	}
	switch {
	case ok == 0 && consumed == nil && unknown > 0:
		return "unknown-ref", fmt.Sprintf("None of the %d requested range(s) resolved — every ref is unknown to this session. Refs are per-session snapshots, assigned once when a message is first rendered; no compress reassigns them, so unknown refs cannot come from an earlier compress in this session. They come from a different generation: a previous session instance (switching model or upstream mid-conversation starts a fresh session whose refs restart at m00001), the generation before a native-compaction rebase (which also resets refs to m00001), or a typo. %s Run acp_status, then call the compress tool again using only the refs it reports.",
			len(e.parts), e.diagnostics(unknown))
	case consumed != nil && len(dead) > 0:
		return "dead-ref", fmt.Sprintf("Requested range(s) cannot be anchored (e.g. %s..%s): refs %s are known to this session but no longer back any visible or folded message — the client rewrote or dropped those messages (an edit reissues a new ref; host-native compaction or a bulk history rewrite drops them outright), and no active block covers them. These refs are now recorded as DEAD: no range that includes them can compress now or later, whatever the neighbors. Do not retry this range in any form — run acp_status and target only the live refs it reports. %s",
			consumed.StartRef, consumed.EndRef, strings.Join(dead, ", "), e.diagnostics(unknown))
	case consumed != nil:
		return "already-compressed", fmt.Sprintf("Requested range(s) already compressed (e.g. %s..%s) — %s%s. Nothing new to compress in that window. %s Continue the task, or run acp_status and target one of the CURRENT compressible ranges it reports.%s",
			consumed.StartRef, consumed.EndRef, e.coverSentence(consumed), refoldSentence(e.refoldReasons(failsConsumed)), e.diagnostics(unknown), e.tierHint())
	case counted > 0:
		return "too-small", fmt.Sprintf("Total compressible content too small (%d %s across %d range(s), min %d). Combine more messages into your range(s) to meet the threshold.%s",
			sum, e.k.gateUnit(), counted, e.k.config.Compress.MinCompressRange, refoldSentence(e.refoldReasons("")))
	}
	return "", ""
}

// diagnostics is what the messages tell about the session.
func (e *execution) diagnostics(unknown int) string {
	highest := "none"
	if n := e.l.refs.Len(); n > 0 {
		highest = formatRef(e.l.refs.At(n - 1).number)
	}
	return fmt.Sprintf("[diagnostics: session highest ref=%s, unknown ranges in request=%d/%d, session history=%d compression(s), %d block(s)]",
		highest, unknown, len(e.parts), e.stats.CompressionCount, len(e.facts.blocks))
}

// coverSentence names the active blocks that cover either end's content.
func (e *execution) coverSentence(p *part) string {
	wanted := map[int32]bool{}
	for _, ref := range []string{p.StartRef, p.EndRef} {
		b, _ := parseBoundary(ref)
		if !b.block {
			if id, ok := e.l.refID(b.number); ok {
				wanted[id] = true
			}
		} else if i := e.find(fmt.Sprintf("b%d", b.number)); i >= 0 {
			for _, id := range e.facts.blocks[i].covers {
				wanted[id] = true
			}
		}
	}
	var covering []string
	for i := range e.facts.blocks {
		s := &e.facts.blocks[i]
		if s.active && slices.ContainsFunc(s.covers, func(id int32) bool { return wanted[id] }) {
			covering = append(covering, s.ID)
		}
	}
	if len(covering) == 0 {
		return "its refs no longer point to directly compressible content (stale block ref(s) distilled or consumed by higher-tier blocks)"
	}
	slices.SortStableFunc(covering, func(a, b string) int { return blockOrder(a) - blockOrder(b) })
	sentence := "its content is already summarized in active block(s) " + strings.Join(covering, ", ")
	if len(covering) == 1 {
		sentence += " — use search_context or decompress " + covering[0] + " if you need details from it"
	}
	return sentence
}

// refoldReasons are the distinct reasons why ranges of a kind may not refold.
func (e *execution) refoldReasons(kind failure) []string {
	var out []string
	for i := range e.parts {
		if e.parts[i].failure != kind || e.parts[i].skipped {
			continue
		}
		for _, reason := range e.parts[i].refold.reasons {
			if !slices.Contains(out, reason) {
				out = append(out, reason)
			}
		}
	}
	return out
}

func refoldSentence(reasons []string) string {
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf(" Refold blocked: %s. Restore the affected block(s) inline (decompress with inline:true), then recompressing the same range updates them in place", strings.Join(reasons, "; "))
}

// tierHint offers to merge blocks where a count trigger is met.
func (e *execution) tierHint() string {
	if !e.k.config.Tiers.Enabled {
		return ""
	}
	hint := func(name string, ids []string, from, to int) string {
		return fmt.Sprintf(` Tier %s is actionable now: compress({ content: [{ startId: "%s", endId: "%s", summary: "...", topic: "..." }] }) merges those tier-%d blocks into one tier-%d block.`,
			name, ids[0], ids[len(ids)-1], from, to)
	}
	var byTier [4][]string
	for i := range e.facts.blocks {
		if s := &e.facts.blocks[i]; s.active && s.Tier >= 1 && s.Tier <= 3 {
			byTier[s.Tier] = append(byTier[s.Tier], s.ID)
		}
	}
	switch {
	case len(byTier[2]) > 0 && len(byTier[2]) >= e.k.config.Tiers.Tier3Trigger:
		return hint("condensation", byTier[2], 2, 3)
	case len(byTier[1]) > 0 && len(byTier[1]) >= e.k.config.Tiers.Tier2Trigger:
		return hint("distillation", byTier[1], 1, 2)
	}
	return ""
}
