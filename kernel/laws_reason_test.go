package kernel

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestDecisionAndReasonFollowFromTheGates takes every recorded input of one
// decision and holds that tier and reason can be read off the gates alone.
func TestDecisionAndReasonFollowFromTheGates(t *testing.T) {
	data, err := readPacked(filepath.Join(referenceFolder, "nudge.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := parseReferenceFile("nudge.json.gz", data)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]int{}
	for _, c := range file.cases {
		var in nudgeInput
		if err := decodeStrict(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		d, _, err := adaptDecide(in, messagesOf(in.Messages))
		if err != nil {
			t.Fatal(err)
		}
		path, fault := readOff(d)
		if fault != "" {
			t.Errorf("%s: %s: reason %q, gates:\n%s", c.Name, fault, d.Reason, gatesText(d.Gates))
		}
		paths[path]++
	}
	for _, path := range []string{"pressure", "suppressed", "T1", "T2", "T3", "idle"} {
		if paths[path] == 0 {
			t.Errorf("no decision took the path %s: %v", path, paths)
		}
	}
}

func TestReasonsOfSessionsFollowFromTheGates(t *testing.T) {
	seen := 0
	eachMoment(t, func(t *testing.T, _ *Kernel, r Run) {
		d := r.Now().Nudge
		if len(d.Gates) == 0 {
			return
		}
		seen++
		if _, fault := readOff(d); fault != "" {
			t.Errorf("%s: reason %q, gates:\n%s", fault, d.Reason, gatesText(d.Gates))
		}
	})
	if seen == 0 {
		t.Error("no decision was looked at")
	}
}

// gateSet finds the gates of a decision by name.
type gateSet map[string]Gate

// holds reports whether any of the gates was asked and held.
func (g gateSet) holds(names ...string) bool {
	for _, name := range names {
		if g[name].Holds {
			return true
		}
	}
	return false
}

// shut reports whether a gate was asked and did not hold.
func (g gateSet) shut(name string) bool {
	gate, asked := g[name]
	return asked && !gate.Holds
}

// readOff says which path the gates of a decision tell, and where tier or
// reason are not what they tell.
func readOff(d Decision) (path, fault string) {
	g := gateSet{}
	for _, gate := range d.Gates {
		g[gate.Name] = gate
	}
	pressure := g.holds("over-limit", "emergency")
	if pressure != (d.Band != BandNormal) || g.holds("emergency") != (d.Band == BandEmergency) {
		return "band", fmt.Sprintf("the band is %s", d.Band)
	}
	if d.ShouldInject != (d.Tier != 0) {
		return "tier", fmt.Sprintf("inject is %v, tier %d", d.ShouldInject, int(d.Tier))
	}
	if firstSight := g.holds("first sight: mass"); firstSight != d.FirstSight {
		return "first sight", fmt.Sprintf("first sight is %v", d.FirstSight)
	}
	if pressure {
		return readOffPressure(d, g)
	}
	return readOffGrowth(d, g)
}

func readOffPressure(d Decision, g gateSet) (path, fault string) {
	pending, benefit := g["pressure: something pending"], g["pressure: benefit"]
	if inject := pending.Holds && benefit.Holds; inject != d.ShouldInject {
		return "pressure", fmt.Sprintf("inject is %v", d.ShouldInject)
	}
	switch {
	case d.ShouldInject:
		return "pressure", missing(d, "pending "+num(pending.Left))
	case pending.Holds:
		return "suppressed", missing(d, fmt.Sprintf("max pending %s < min benefit %s tokens", num(benefit.Left), num(benefit.Right)))
	}
	return "suppressed", missing(d, "no tier has effective compressible content")
}

func readOffGrowth(d Decision, g gateSet) (path, fault string) {
	tooLittle := fmt.Sprintf("growth %s < floor %s", num(g["growth"].Left), num(g["growth"].Right))
	if g.shut("growth") && !g.holds("first sight: mass") {
		if d.ShouldInject {
			return "idle", "a shut growth gate lets a nudge through"
		}
		return "idle", missing(d, tooLittle)
	}
	mass := g["T1 mass"]
	if first := mass.Holds && !g.shut("rotation: T1 did not go last"); first != (d.Tier == 1) {
		return "T1", fmt.Sprintf("tier is %d", int(d.Tier))
	}
	switch d.Tier {
	case 0:
		if g.shut("growth") {
			return "idle", missing(d, tooLittle)
		}
		return "idle", missing(d, "max compressible "+num(float64(d.Breakdown.MaxPending)))
	case 1:
		return "T1", missing(d, fmt.Sprintf("T1 effective %s >= %s,", num(mass.Left), num(mass.Right)))
	}
	name := fmt.Sprintf("T%d", int(d.Tier))
	if !g.holds(name+" cadence", name+" cadence: never shown") {
		return name, "the tier is not due"
	}
	count := g[name+" count"]
	if count.Holds {
		return name, missing(d, fmt.Sprintf("%s tier-%d blocks >= tier%dTrigger %s", num(count.Left), int(d.Tier)-1, int(d.Tier), num(count.Right)))
	}
	own := g[name+" mass"]
	if !own.Holds || g.shut(name+" mass above T1") || g.shut(name+" mass above T2") {
		return name, "neither count nor mass is enough"
	}
	return name, missing(d, fmt.Sprintf("(%s tokens) >= %s", num(own.Left), num(own.Right)))
}

func missing(d Decision, part string) string {
	if strings.Contains(d.Reason, part) {
		return ""
	}
	return fmt.Sprintf("the reason does not say %q", part)
}
