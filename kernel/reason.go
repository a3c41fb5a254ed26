package kernel

import (
	"fmt"
	"strings"
)

// explain writes the reason from the numbers that the decision was made with.
func (a *answer) explain() {
	switch {
	case a.Band != BandNormal && a.Tier != 0:
		a.Reason = a.pressureReason()
	case a.Band != BandNormal:
		a.Reason = a.suppressedReason()
	case a.Tier == 1:
		a.Reason = fmt.Sprintf("T1 effective %s >= %s, growth %s, usage %s%%",
			num(a.byTier[1]), num(a.Threshold[1]), num(a.growth), a.percent())
	case a.Tier != 0:
		a.Reason = a.distillReason()
	default:
		a.Reason = a.idleReason()
	}
	if a.Tier != 0 && a.FirstSight {
		a.Reason += " [first-sight mass]"
	}
}

func (a *answer) percent() string { return num(roundJS(a.ContextUsage * 100)) }

func (a *answer) label() string {
	if a.Band == BandEmergency {
		return "EMERGENCY"
	}
	return "OVER-LIMIT"
}

func (a *answer) pressureReason() string {
	best := num(a.byTier[a.Tier])
	if a.Tier == 1 {
		return fmt.Sprintf("%s T1: max effective pending %s, usage %s%%", a.label(), best, a.percent())
	}
	return fmt.Sprintf("%s T%d distill: max pending %s %s, usage %s%%", a.label(), a.Tier, best, a.pendings(), a.percent())
}

func (a *answer) pendings() string {
	return fmt.Sprintf("(T1 effective %s, T2 %s, T3 %s)", num(a.byTier[1]), num(a.byTier[2]), num(a.byTier[3]))
}

// suppressedReason says why nothing is asked for although usage is high.
func (a *answer) suppressedReason() string {
	best := a.byTier[1]
	if a.config.Tiers.Enabled {
		best = a.max
	}
	if best <= 0 {
		return fmt.Sprintf("%s: usage %s%% but no tier has effective compressible content %s — nudge suppressed to avoid offering ranges below minCompressRange",
			a.label(), a.percent(), a.pendings())
	}
	return fmt.Sprintf("%s: usage %s%% but max pending %s < min benefit %s tokens %s — suppressed: rewriting below the benefit floor reclaims almost nothing while usage stays high; truncate.threshold remains the safety valve",
		a.label(), a.percent(), num(best), num(a.benefit), a.pendings())
}

func (a *answer) distillReason() string {
	tier := a.Tier
	what := [4]string{2: "T2 distill ready: %d tier-1 blocks", 3: "T3 condense ready: %d tier-2 blocks"}[tier]
	var b strings.Builder
	fmt.Fprintf(&b, what, a.counts[tier])
	if a.byCount {
		fmt.Fprintf(&b, " >= tier%dTrigger %d (%s tokens)", tier, a.triggers[tier], num(a.byTier[tier]))
	} else {
		fmt.Fprintf(&b, " (%s tokens) >= %s", num(a.byTier[tier]), num(a.Threshold[tier]))
		if !a.pinned(tier) {
			b.WriteString(" (1.5x)")
		}
		if tier == 3 {
			fmt.Fprintf(&b, " and > T2 %s", num(a.byTier[2]))
		}
		fmt.Fprintf(&b, " and > T1 effective %s", num(a.byTier[1]))
	}
	fmt.Fprintf(&b, ", usage %s%%", a.percent())
	return b.String()
}

// pinned reports whether the tier's threshold is set by itself.
func (a *answer) pinned(tier Tier) bool {
	t := a.config.Nudge.TierGrowthTokens
	return t != nil && (tier == 1 && t.T1 != nil || tier == 2 && t.T2 != nil || tier == 3 && t.T3 != nil)
}

// idleReason says what is missing, and what is ready or held back.
func (a *answer) idleReason() string {
	least := min(a.Threshold[1], a.Threshold[2], a.Threshold[3])
	var parts []string
	if a.max < least {
		parts = append(parts, fmt.Sprintf("max compressible %s < threshold %s", num(a.max), num(least)))
	}
	if a.growth < a.floor {
		parts = append(parts, fmt.Sprintf("growth %s < floor %s", num(a.growth), num(a.floor)))
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("max compressible %s, growth %s", num(a.max), num(a.growth)))
	}
	return strings.Join(parts, "; ") + a.readyHint() + a.blockedHint()
}

// eligible are the tiers that may be asked for at all.
func (a *answer) eligible() []Tier {
	if a.config.Tiers.Enabled {
		return []Tier{1, 2, 3}
	}
	return []Tier{1}
}

func (a *answer) massReady(tier Tier) bool { return a.byTier[tier] >= a.Threshold[tier] }

func (a *answer) readyHint() string {
	var byMass, byCount []string
	for _, tier := range a.eligible() {
		switch {
		case a.massReady(tier):
			byMass = append(byMass, fmt.Sprintf("T%d %s", tier, num(a.byTier[tier])))
		case a.countReady[tier]:
			byCount = append(byCount, fmt.Sprintf("T%d %d blocks (count)", tier, a.counts[tier]))
		}
	}
	return hint("ready", append(byMass, byCount...))
}

func (a *answer) blockedHint() string {
	var held []string
	for _, tier := range a.eligible() {
		stamp := float64(a.stamps.ShownByTier[tier])
		if (a.massReady(tier) || a.countReady[tier]) && stamp > 0 && a.used-stamp < a.floor {
			held = append(held, fmt.Sprintf("T%d (cadence)", tier))
		}
	}
	return hint("blocked", held)
}

func hint(word string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	return ", " + word + ": " + strings.Join(items, ", ")
}
