package settings

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"ctxscope/kernel"
	"ctxscope/kernel/doctor"
	"ctxscope/watch/decode"
)

// Choice is what a person asked for. The zero value asks for nothing.
type Choice struct {
	Window kernel.Tokens // 0: none
	File   string        // the configuration file's name, for people; empty: none
	Config []byte        // its content as standard JSON
	Host   []Layer       // the settings of the session's own host, the least specific first
}

// Read makes a Choice. An empty file means none. The file is JSON with
// comments and trailing commas allowed; that it cannot be read is an error,
// what is wrong in its settings becomes a Problem of Resolve.
func Read(window kernel.Tokens, file string) (Choice, error) {
	c := Choice{Window: window}
	if file == "" {
		return c, nil
	}
	data, err := ReadFile(file, maxFile)
	if err == nil && deep(data) {
		err = fmt.Errorf("%s: it nests deeper than %d values", file, maxDepth)
	}
	if err != nil {
		return Choice{}, fmt.Errorf("read configuration: %w", err)
	}
	// Comments become blanks, so that lines stay where they are.
	if c.Config, err = hujson.Standardize(data); err != nil {
		return Choice{}, fmt.Errorf("read configuration %s: %w", file, err)
	}
	c.File = filepath.Base(file)
	return c, nil
}

const (
	maxFile  = 1 << 20 // bytes of a configuration
	maxDepth = 1000    // of its values in one another
)

// ReadFile reads a file of at most that many bytes. It takes pipes and
// devices too, and waits for them.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s: it is longer than %d bytes", name, most)
	}
	return data, nil
}

// deep reports whether values may nest deeper than maxDepth. Brackets in
// strings and comments count too.
func deep(data []byte) bool {
	depth := 0
	for _, c := range data {
		switch c {
		case '[', '{':
			if depth++; depth > maxDepth {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return false
}

// Settings say how a session is judged and where that comes from. From and the
// names in Problems are for people.
type Settings struct {
	Config   kernel.Config // ModelContextLimit is Window.Tokens
	From     string        // "kernel defaults", and what is laid over them
	Over     []string      // the names of what is laid over them, what counts most last
	Window   Window
	Problems []Problem
}

// Problem is a setting that was not taken, or one that makes no sense.
type Problem struct {
	Where  string // for example "rules.json line 3"
	Reason string // a sentence
	Advice bool   // every setting is used as it stands, but some can have no effect
}

// Whole is where a Problem stands that is one of the settings taken together,
// as the doctor finds it, and not of one line.
const Whole = "configuration"

// Resolve lays a recording's own settings over the kernel's defaults, those of
// the session's host over both, and what the person chose over all. peak is the
// largest context that was reported, in tokens. Equal arguments give equal
// settings.
func Resolve(c Choice, s decode.Session, peak kernel.Tokens) Settings {
	r := Settings{Config: kernel.Default(0), From: "kernel defaults"}
	recorded, inFile := s.Window, kernel.Tokens(0)
	if len(s.Config) > 0 {
		r.lay("the recording's settings", "line", s.Config)
		if limit := r.Config.ModelContextLimit; limit > 0 {
			recorded = limit
		}
	}
	r.Config.ModelContextLimit = 0
	r.layHost(c.Host, s.Agent)
	if c.Config != nil {
		r.lay(c.File, c.File+" line", c.Config)
	}
	inFile = r.Config.ModelContextLimit
	r.Window = window(c.Window, inFile, recorded, s, peak)
	r.Config.ModelContextLimit = r.Window.Tokens
	for _, f := range doctor.Lint(r.Config, doctor.Session{}) {
		for _, sentence := range append([]string{f.What}, f.Details...) {
			r.Problems = append(r.Problems, Problem{Where: Whole, Reason: sentence, Advice: f.Code != doctor.ConfigInvalid})
		}
	}
	return r
}

// piGrowth is the growth step, in tokens, of Pi's compression plugin where its
// settings name none.
const piGrowth = 100_000

// layHost puts the settings of the session's host over those so far.
func (r *Settings) layHost(layers []Layer, agent string) {
	before, used := r.Config.Nudge, false
	for _, l := range layers {
		if l.Wrong != "" {
			r.Problems = append(r.Problems, Problem{Where: l.File, Reason: l.Wrong})
			continue
		}
		r.lay(l.File, l.File+" line", l.Config)
		used = true
	}
	n := &r.Config.Nudge
	if pi := agent == "pi" || agent == "oh-my-pi"; used && pi && n.GrowthFloor == before.GrowthFloor && n.GrowthCap == before.GrowthCap {
		n.GrowthFloor, n.GrowthCap = piGrowth, piGrowth
		r.From += ", the plugin's own growth step of 100,000"
	}
}

// lay puts the settings in data over those so far.
func (r *Settings) lay(name, where string, data []byte) {
	var problems []kernel.ConfigProblem
	r.Config, problems = kernel.ParseConfig(data, r.Config)
	for _, p := range problems {
		if p.Reason == `unknown key "$schema"` {
			continue // it is for editors
		}
		r.Problems = append(r.Problems, Problem{Where: fmt.Sprintf("%s %d", where, p.Line), Reason: p.Reason})
	}
	r.From += ", " + name + " laid over them"
	r.Over = append(r.Over, name)
}

// Flags lets the command line make the choice: --window and --config. The
// file is read while the line is parsed.
func (c *Choice) Flags(f *flag.FlagSet) {
	f.Func("window", "the model's window in tokens", func(text string) (err error) {
		c.Window, err = parseTokens(text)
		return err
	})
	f.Func("config", "settings that are laid over the kernel's defaults", func(file string) error {
		read, err := Read(c.Window, file)
		c.File, c.Config = read.File, read.Config
		return err
	})
}

// parseTokens reads a number of tokens: 200000, 200,000, 200k or 1m.
func parseTokens(text string) (kernel.Tokens, error) {
	digits, unit := strings.NewReplacer(",", "", "_", "").Replace(strings.ToLower(text)), 1
	if number, ok := strings.CutSuffix(digits, "k"); ok {
		digits, unit = number, 1_000
	} else if number, ok := strings.CutSuffix(digits, "m"); ok {
		digits, unit = number, 1_000_000
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n <= 0 || n > maxWindow/unit {
		return 0, fmt.Errorf("want tokens, for example 200000 or 200k")
	}
	return kernel.Tokens(n * unit), nil
}

// maxWindow is far beyond any model, in tokens.
const maxWindow = 1_000_000_000
