package kernel

import (
	"slices"
	"strings"
)

// alwaysProtected are the tools whose parts are never folded, whatever the
// configuration says; the names are compared exactly.
var alwaysProtected = []string{"compress", "acp_rule"}

// neverRecentBuiltin are the tools whose parts the recent zone passes over
// unless the configuration says otherwise.
var neverRecentBuiltin = []string{"decompress", "search_context", "read", "bash"}

// pattern names tools: "bash", "mcp__*", "skill/NAME". Case does not matter.
type pattern struct {
	text     string
	segments []string // in lower case
}

func compilePatterns(texts []string) []pattern {
	out := make([]pattern, 0, len(texts))
	for _, text := range texts {
		out = append(out, pattern{text, strings.Split(strings.ToLower(text), "/")})
	}
	return out
}

// byPath reports whether the pattern tells the instances of a tool apart.
func (p pattern) byPath() bool { return len(p.segments) > 1 }

// matches compares with a tool name or path. One segment, or one followed by
// a lone star, asks for the first segment only.
func (p pattern) matches(path string) bool {
	first, rest, deep := strings.Cut(strings.ToLower(path), "/")
	if len(p.segments) == 1 || len(p.segments) == 2 && p.segments[1] == "*" {
		return segmentMatches(p.segments[0], first)
	}
	if !deep {
		return false
	}
	segments := append([]string{first}, strings.Split(rest, "/")...)
	if len(segments) != len(p.segments) {
		return false
	}
	for i, segment := range segments {
		if !segmentMatches(p.segments[i], segment) {
			return false
		}
	}
	return true
}

func segmentMatches(pattern, segment string) bool {
	if stem, star := strings.CutSuffix(pattern, "*"); star {
		return strings.HasPrefix(segment, stem)
	}
	return pattern == segment
}

// matchesPart reports whether the pattern names the tool of m: by its path or
// by its bare name.
func (p pattern) matchesPart(m *Message) bool {
	return m.ToolPath != "" && p.matches(m.ToolPath) || p.matches(m.ToolName)
}

func anyMatches(patterns []pattern, m *Message) bool {
	return slices.ContainsFunc(patterns, func(p pattern) bool { return p.matchesPart(m) })
}

// rules is the configuration made ready for looking things up.
type rules struct {
	protected   []pattern
	latest      []pattern
	neverRecent []pattern
	blocks      bool // protected messages get the ref BLOCKED
	pairsByPath bool // unnamed results too, by their call
}

func compileRules(c Config) rules {
	r := rules{
		protected: compilePatterns(c.ProtectedTools),
		latest:    compilePatterns(c.ProtectedLatestTools),
	}
	r.blocks = len(r.protected) > 0 || len(r.latest) > 0
	for _, p := range append(r.protected[:len(r.protected):len(r.protected)], r.latest...) {
		r.pairsByPath = r.pairsByPath || p.byPath()
	}
	never := neverRecentBuiltin
	if c.NeverPreserveRecentTools != nil {
		never = *c.NeverPreserveRecentTools
	}
	preserved := compilePatterns(c.PreserveRecentTools)
	for _, p := range compilePatterns(never) {
		kept := false
		for _, q := range preserved {
			kept = kept || q.matches(p.text)
		}
		if !kept {
			r.neverRecent = append(r.neverRecent, p)
		}
	}
	return r
}

// protects reports whether m is a part of a tool that is never folded.
// Results without a tool name are not: they are paired with their call.
func (r *rules) protects(m *Message) bool {
	return m.isTool() && m.ToolName != "" && (isAlwaysProtected(m.ToolName) || anyMatches(r.protected, m))
}

func isAlwaysProtected(tool string) bool { return slices.Contains(alwaysProtected, tool) }

// passesRecent reports whether the recent zone passes over m.
func (r *rules) passesRecent(m *Message) bool {
	if !m.isTool() || m.ToolName == "" {
		return false
	}
	return slices.ContainsFunc(r.neverRecent, func(p pattern) bool { return p.matches(m.ToolName) })
}
