package kernel

import (
	"strconv"
	"strings"
)

// reconcile tells new messages apart from folded ones of the same content:
// some hosts make ids from hashes, so a message said again has a known id.
// When such an id is covered and was not in the last turn's list, it gets a
// suffix of its own.
func (e *engine) reconcile() {
	if e.lastPass == nil || !e.index.hashIDs {
		return
	}
	passed := make(map[string]bool, len(e.lastPass))
	for _, id := range e.lastPass {
		passed[id] = true
	}
	covered := coverageOf(e.index.lookup(), e.blocks)
	var renamed []Message
	for pos := range e.index.log.n {
		m := *e.index.log.at(pos)
		id, known := e.index.names[m.ID]
		if isContentHash(m.ID) && known && int(id) < len(covered) && covered[id]&coversID != 0 && !passed[m.ID] {
			if renamed == nil {
				renamed = e.index.log.list().All()
			}
			renamed[pos].ID = e.freeID(m.ID)
			e.index.number(renamed[pos].ID)
		}
	}
	if renamed != nil {
		e.replace(renamed)
	}
}

// isContentHash reports whether an id is "h_" and 16 hex digits, maybe with a
// count and a sub-id.
func isContentHash(id string) bool {
	hash, ok := strings.CutPrefix(baseID(id), "h_")
	if !ok {
		return false
	}
	hash, count, counted := strings.Cut(hash, "_")
	if _, err := strconv.ParseUint(hash, 16, 64); err != nil || len(hash) != 16 {
		return false
	}
	return !counted || count != "" && strings.Trim(count, "0123456789") == ""
}

// freeID is the first id with a count behind the hash that nothing has.
func (e *engine) freeID(id string) string {
	base := baseID(id)
	for k := 1; ; k++ {
		free := base[:len("h_")+16] + "_" + strconv.Itoa(k) + id[len(base):]
		if _, taken := e.index.names[free]; !taken {
			return free
		}
	}
}
