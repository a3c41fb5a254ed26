package doctor

import (
	"slices"
	"strconv"

	"ctxscope/kernel"
)

// charsPerToken is how many chars the estimate counts as one token, CJK text
// aside.
const charsPerToken = 4

// lint is a configuration under examination, with the quantities that the
// kernel works out from it.
type lint struct {
	config   kernel.Config
	decision kernel.Decision // over nothing: its thresholds are those of every turn
	line     float64         // tokens at which the over-limit band begins; 0 without a window
	found    []Finding
}

// Lint looks a configuration over before there is a session: what makes no
// sense by the kernel's own sentences, gates that can never open for this
// window, and settings that contradict or shadow one another. A window of 0 is
// unknown, and rules about it stay silent. There is at most one finding a
// code, with one sentence a fault.
func Lint(c kernel.Config, s Session) []Finding {
	l := &lint{config: c, decision: kernel.New(c, nil).Start().Now().Nudge}
	judged := c
	if c.ModelContextLimit == 0 { // that it is unknown is no mistake in the settings
		judged.ModelContextLimit = 1
	}
	for _, sentence := range kernel.Validate(judged) {
		l.say(ConfigInvalid, "%s", sentence)
	}
	if c.ModelContextLimit > 0 {
		l.line = c.BandStart(kernel.BandOverLimit)
		l.thresholds()
		l.sizes()
	}
	l.bands()
	l.conflicts(s)
	l.shadows()
	l.unread()
	return sorted(joined(l.found))
}

// say adds a fault.
func (l *lint) say(code, sentence string, args ...any) {
	l.found = append(l.found, found(code, sentence, args...))
}

// thresholds looks for amounts that the context cannot reach before pressure
// takes over.
func (l *lint) thresholds() {
	d, line := &l.decision, amount(l.line)
	if l.config.GrowthOutOfReach() {
		l.say(GateNever, "Growth can bring no nudge: T1 asks for %s tokens in batches, and the over-limit band begins at %s.", amount(d.Threshold[1]), line)
	}
	l.higherTiers()
	if b := &d.Breakdown; b.GrowthFloor >= l.line {
		l.say(GateNever, "No second nudge can come from growth: the context must grow by %s tokens between two, and the over-limit band begins at %s.", amount(b.GrowthFloor), line)
	}
	if benefit := d.Breakdown.MinPressureBenefit; benefit >= float64(l.config.ModelContextLimit) {
		l.say(GateNever, "Pressure can bring no nudge: a fold must free %s tokens, and the window holds %s.", amount(benefit), amount(l.config.ModelContextLimit))
	}
}

// higherTiers looks for masses of the tiers 2 and 3 that the window cannot
// hold, or that were set to more than fits below the over-limit band. In
// between, count and pressure ask for these tiers, as they do by default.
func (l *lint) higherTiers() {
	own := l.config.Nudge.TierGrowthTokens
	if own == nil {
		own = &kernel.TierGrowthTokens{}
	}
	never := func(tier kernel.Tier, own *float64) bool {
		mass := l.decision.Threshold[tier]
		return l.config.Tiers.Enabled && (mass >= float64(l.config.ModelContextLimit) || own != nil && mass >= l.line)
	}
	second, third := never(2, own.T2), never(3, own.T3)
	say := func(names string, tier kernel.Tier) {
		l.say(GateNever, "%s can never be asked for by mass: that takes %s tokens of summaries, and the over-limit band begins at %s.", names, amount(l.decision.Threshold[tier]), amount(l.line))
	}
	if second && third && l.decision.Threshold[2] == l.decision.Threshold[3] {
		say("T2 and T3", 2)
		return
	}
	if second {
		say("T2", 2)
	}
	if third {
		say("T3", 3)
	}
}

// sizes looks for minimums that the whole window could not meet.
func (l *lint) sizes() {
	least, room, unit := float64(l.config.Compress.MinCompressRange), l.line*charsPerToken, "chars"
	if l.config.GateUnit == kernel.GateTokens {
		room, unit = l.line, "tokens"
	}
	if least >= room {
		l.say(GateNever, "No range can pass the size gate: it asks for %s %s, and about %s fit below the over-limit band.", amount(least), unit, amount(room))
	}
	if zone := float64(l.config.PreserveRecentTokens); zone >= l.line {
		l.say(SettingConflict, "The recent zone keeps %s tokens (preserveRecentTokens), more than fits below the over-limit band (%s): nothing is ever old enough.", amount(zone), amount(l.line))
	}
}

// bands looks at the shares of the window.
func (l *lint) bands() {
	n := &l.config.Nudge
	for _, band := range []struct {
		key   string
		share float64
		name  kernel.Band
	}{{"maxContextLimitPct", n.MaxContextLimitPct, kernel.BandOverLimit}, {"emergencyThresholdPct", n.EmergencyThresholdPct, kernel.BandEmergency}} {
		if band.share > 1 {
			l.say(GateNever, "The %s band begins at %s of the window (nudge.%s): the window is full before.", band.name, percent(band.share), band.key)
		}
	}
	switch {
	case n.MaxContextLimitPct == n.EmergencyThresholdPct:
		l.say(SettingShadowed, "The over-limit band is empty: nudge.maxContextLimitPct and nudge.emergencyThresholdPct are both %s.", percent(n.MaxContextLimitPct))
	case n.MinContextLimitPct == n.MaxContextLimitPct:
		l.say(SettingShadowed, "A backlog met at first sight is never nudged by itself: nudge.minContextLimitPct is %s, where the over-limit band begins.", percent(n.MinContextLimitPct))
	}
	if cut := l.config.Truncate.Threshold; cut > 0 && cut < n.MaxContextLimitPct {
		l.say(SettingConflict, "Outputs are cut from %s of the window on (truncate.threshold), before the over-limit band asks to fold them at %s.", percent(cut), percent(n.MaxContextLimitPct))
	}
}

// conflicts looks for pairs of settings that cannot both hold.
func (l *lint) conflicts(s Session) {
	c, n := &l.config, &l.config.Nudge
	if least, most := c.Compress.MinSummaryLength, c.Compress.MaxSummaryLength; least > 0 && most > 0 && least > most {
		l.say(SettingConflict, "Every summary is refused: at least %s chars (compress.minSummaryLength) and at most %s (compress.maxSummaryLength).", amount(int(least)), amount(int(most)))
	}
	if n.GrowthFloor > n.GrowthCap {
		l.say(SettingConflict, "nudge.growthFloor is %s and nudge.growthCap %s: the cap wins.", amount(n.GrowthFloor), amount(n.GrowthCap))
	}
	if benefit := l.decision.Breakdown.MinPressureBenefit; n.MinPressureBenefitTokens != nil && benefit > l.decision.Threshold[1] {
		l.say(SettingConflict, "Under pressure a nudge asks for more (%s tokens, nudge.minPressureBenefitTokens) than without (%s).", amount(benefit), amount(l.decision.Threshold[1]))
	}
	if slices.Contains(c.ProtectedTools, "*") {
		l.say(SettingConflict, `protectedTools holds "*": no call and no result of any tool can be folded.`)
	}
	if usual := kernel.Default(0).Compress.MinCompressRange; c.GateUnit == kernel.GateTokens && c.Compress.MinCompressRange == usual {
		l.say(SettingConflict, "The size gate counts tokens (gateUnit), and its minimum is still the %s of chars: hosts ask for 1,250 tokens.", amount(usual))
	}
	if c.GateUnit == kernel.GateTokens && s.Counter != "" && s.Counter != "estimate" {
		l.say(SettingConflict, "The size gate counts tokens, here by %s and at the host by its estimate: verdicts near the minimum differ.", s.Counter)
	}
}

// shadows looks for settings that another one keeps from deciding.
func (l *lint) shadows() {
	c, n, usual := &l.config, &l.config.Nudge, kernel.Default(l.config.ModelContextLimit)
	if floor := l.decision.Breakdown.GrowthFloor; floor > l.decision.Threshold[1] {
		l.say(SettingShadowed, "T1 asks for %s tokens, but the context must grow by %s first (nudge.minGrowthFloor, nudge.minGrowthRatio).", amount(l.decision.Threshold[1]), amount(floor))
	}
	if n.GrowthRatio != usual.Nudge.GrowthRatio && n.GrowthFloor >= n.GrowthCap {
		l.say(SettingShadowed, "nudge.growthRatio has no effect: nudge.growthFloor and nudge.growthCap leave the step only %s tokens.", amount(n.GrowthCap))
	}
	own := n.TierGrowthTokens
	if !c.Tiers.Enabled && (c.Tiers.Tier2Trigger != usual.Tiers.Tier2Trigger || c.Tiers.Tier3Trigger != usual.Tiers.Tier3Trigger || own != nil && (own.T2 != nil || own.T3 != nil)) {
		l.say(SettingShadowed, "Thresholds of the tiers 2 and 3 are set, and tiers.enabled is false.")
	}
	if own != nil && own.T2 != nil && own.T3 != nil && n.Tier2GrowthMultiplier != nil && *n.Tier2GrowthMultiplier != *usual.Nudge.Tier2GrowthMultiplier {
		l.say(SettingShadowed, "nudge.tier2GrowthMultiplier has no effect: nudge.tierGrowthTokens sets both t2 and t3.")
	}
}

// unread looks for settings that were changed though no rule reads them.
func (l *lint) unread() {
	n, usual := &l.config.Nudge, kernel.Default(0).Nudge
	for _, setting := range []struct {
		key     string
		changed bool
		value   string
	}{
		{"frequency", n.Frequency != usual.Frequency, number(n.Frequency)},
		{"iterationThreshold", n.IterationThreshold != usual.IterationThreshold, number(n.IterationThreshold)},
		{"force", n.Force != usual.Force, strconv.Quote(n.Force)},
	} {
		if setting.changed {
			l.say(SettingUnread, "nudge.%s is set to %s, and no rule reads it.", setting.key, setting.value)
		}
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// minimumAboveAll finds sessions that are large already and yet smaller, as a
// whole, than what the size gate asks of one call.
func minimumAboveAll(h *history) []Finding {
	var chars kernel.Chars
	var tokens kernel.Tokens
	log := h.run.Log()
	for i := range log.Len() {
		chars, tokens = chars+log.At(i).Chars, tokens+log.At(i).Size()
	}
	gate := h.kernel.SizeGate(chars, tokens)
	share := float64(h.now.Sent.Tokens / max(1, h.config.ModelContextLimit))
	if gate.Holds || share < h.config.Nudge.MinContextLimitPct || h.config.ModelContextLimit <= 0 || len(h.turns) == 0 {
		return nil
	}
	f := found(GateNever, "No range can pass the size gate: it asks for %s %s, and the whole conversation holds %s.", amount(gate.Right), gate.Unit, amount(gate.Left))
	f.Turns = []int{len(h.turns)}
	return []Finding{f}
}
