package decode

import (
	"math"
	"slices"
	"sort"

	"ctxscope/kernel"
)

const (
	onPath  = -2            // place of a record that the walk up the chain has met
	nowhere = math.MaxInt32 // a place behind any chain
)

// claudeChain is the path through the tree that is sent, from the first
// record of the session on, compactions included, with the journal that
// follows from it. It is brought up to date when somebody asks; then only
// what may differ is made again.
type claudeChain struct {
	d       *claude
	journal journal
	slots   []int32 // the path, oldest first
	units   []claudeUnit
	taken   []int32 // records taken back beside the path, in the order of the units that took them
	totals  claudeTotals

	seen    []int32 // records read since the last update
	stained int32   // place from which the journal has to be made again
	broken  bool    // the path has to be walked again from its start
	cyclic  bool    // the path ends in a loop of parents

	path  []int32
	left  []int32         // what the last walk left
	calls map[string]bool // of the reply in hand: whether the call still waits for its result
}

// claudeUnit is a piece of the chain whose entries are made together: a reply
// with everything up to the next prompt or reply, a compaction with its
// summary, or one record. What stood before it is kept, so that the journal
// can be made again from there.
type claudeUnit struct {
	start  int32 // place of its first record on the chain
	reply  int32 // that it starts with, or none
	taken  int32 // how many records were taken back before it
	step   int   // where its entries start in the journal
	before claudeTotals
}

// claudeTotals is what the entries so far amount to. All but the model count
// from the newest compaction on.
type claudeTotals struct {
	tokens   kernel.Tokens
	preceded kernel.Tokens // tokens that the newest compaction says were before it
	parts    int32
	images   int32
	replies  int32
	usage    int32 // the newest reply with a usage, or none
	model    int32 // the newest reply with a model, or none
	boundary int32 // place of the newest compaction, or none
	stale    bool  // the usage is from before the compaction
	asked    bool  // something was said since the newest reply
}

// stain notes that the journal changes from a place on.
func (c *claudeChain) stain(place int32) { c.stained = min(c.stained, place) }

// stainRecord notes that what a record says has changed.
func (c *claudeChain) stainRecord(slot int32) {
	r := &c.d.tree.records[slot]
	if r.place != none {
		c.stain(r.place)
	}
	if r.home != none {
		c.stain(r.home)
	}
	for _, boundary := range c.d.tree.keptBy[slot] {
		if place := c.d.tree.records[boundary].place; place != none {
			c.stain(place)
		}
	}
}

// stainCompaction notes that a record arrived that a compaction names. Unless
// nothing stands behind the compaction yet, the path may run elsewhere now.
func (c *claudeChain) stainCompaction(boundary int32) {
	if place := c.d.tree.records[boundary].place; place >= 0 && int(place) == len(c.slots)-1 {
		c.stain(place)
		return
	}
	c.broken = true
}

// update brings the chain and its journal up to date.
func (c *claudeChain) update() {
	if len(c.seen) == 0 {
		return
	}
	length := len(c.slots)
	from := c.walk()
	if c.linked(from) {
		from = nowhere
	}
	from = min(from, c.stained)
	for _, slot := range c.seen {
		from = min(from, c.reaches(slot))
	}
	c.seen = c.seen[:0]
	if cap(c.seen) > 1<<12 {
		c.seen = nil
	}
	if int(from) < max(len(c.slots), length) {
		c.remake(from)
	}
	c.stained = nowhere
}

// linked reports whether the path has changed from a place on in records only
// that are not sent: most of a file may be such.
func (c *claudeChain) linked(from int32) bool {
	for _, slot := range c.slots[from:] {
		if c.d.tree.records[slot].kind != claudeLink {
			return false
		}
	}
	for _, slot := range c.left {
		if c.d.tree.records[slot].kind != claudeLink {
			return false
		}
	}
	return true
}

// walk finds the path from where the chain ends up to where it meets the
// path as it was, and gives the first place that changed.
func (c *claudeChain) walk() (from int32) {
	records := c.d.tree.records
	c.left = c.left[:0]
	if c.broken || c.cyclic {
		for _, slot := range c.slots {
			records[slot].place = none
		}
		c.left = append(c.left, c.slots...)
		c.slots = c.slots[:0]
	}
	c.broken, c.cyclic = false, false
	c.path = c.path[:0]
	slot := c.d.tree.tip()
	for ; slot != none && records[slot].place < 0; slot = c.d.tree.up(slot) {
		if records[slot].place == onPath {
			c.cyclic = true
			slot = none
			break
		}
		records[slot].place = onPath
		c.path = append(c.path, slot)
	}
	kept := int32(0)
	if slot != none {
		kept = records[slot].place + 1
	}
	for i, left := range c.slots[kept:] {
		if at := int(kept) + i; at > 0 && records[left].parent != c.slots[at-1] {
			c.seen = append(c.seen, left) // the reply that it hangs off may take it back now
		}
		records[left].place = none
		c.left = append(c.left, left)
		c.stainKept(left)
	}
	c.slots = c.slots[:kept]
	for _, slot := range slices.Backward(c.path) {
		records[slot].place = int32(len(c.slots))
		c.slots = append(c.slots, slot)
		c.stainKept(slot)
		if home := records[slot].home; home != none {
			c.stain(home)
		}
	}
	return kept
}

// stainKept notes that a record moved onto the path or off it. A compaction
// that keeps it must know: what stands behind the compaction is not kept too.
func (c *claudeChain) stainKept(slot int32) {
	if len(c.d.tree.keptBy[slot]) > 0 {
		c.stain(0)
	}
}

// reaches is the place from which a record beside the path changes the
// journal: that of the reply that takes it back. For most records that is
// nowhere.
func (c *claudeChain) reaches(slot int32) int32 {
	r := &c.d.tree.records[slot]
	if r.kind != claudeBlock && r.kind != claudeResult || r.place != none || r.parent == none {
		return nowhere
	}
	parent := &c.d.tree.records[r.parent]
	if parent.place == none {
		if parent.home != none {
			return parent.home
		}
		return nowhere
	}
	from := int32(nowhere)
	if u := c.unitAt(parent.place); u != nil && u.reply != none && (r.kind == claudeResult || u.reply == r.reply) {
		from = u.start
	}
	if next := parent.place + 1; r.kind == claudeBlock && int(next) < len(c.slots) && c.d.tree.records[c.slots[next]].reply == r.reply {
		from = min(from, next)
	}
	return from
}

// unitAt is the unit that a place belongs to, as the units were made last;
// nil when there is none or its start is no longer on the path.
func (c *claudeChain) unitAt(place int32) *claudeUnit {
	i := sort.Search(len(c.units), func(i int) bool { return c.units[i].start > place })
	if i == 0 || int(c.units[i-1].start) >= len(c.slots) {
		return nil
	}
	return &c.units[i-1]
}

// remake makes the entries again from the unit on that the place before from
// belongs to: a unit may grow by what follows it.
func (c *claudeChain) remake(from int32) {
	place := int32(0)
	if u := c.unitAt(max(from-1, 0)); u != nil {
		place = u.start
	}
	i := sort.Search(len(c.units), func(i int) bool { return c.units[i].start >= place })
	step, taken := 0, int32(0)
	totals := claudeTotals{usage: none, model: none, boundary: none}
	if i < len(c.units) {
		step, taken, totals = c.units[i].step, c.units[i].taken, c.units[i].before
	}
	for _, slot := range c.taken[taken:] {
		c.d.tree.records[slot].home = none
	}
	for _, u := range c.units[i:] {
		if u.reply != none && c.d.replies[u.reply].start == u.start {
			c.d.replies[u.reply].start = none
		}
	}
	c.taken, c.units, c.totals = c.taken[:taken], c.units[:i], totals
	c.journal.at = step
	for int(place) < len(c.slots) {
		c.units = append(c.units, claudeUnit{
			start: place, reply: none, taken: int32(len(c.taken)), step: c.journal.at, before: c.totals,
		})
		place = c.put(place)
	}
}
