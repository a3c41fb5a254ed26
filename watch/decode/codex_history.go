package decode

import (
	"fmt"

	"ctxscope/kernel"
)

// event takes what the screen was told, as far as nothing else says it: counts
// of tokens, the window, and turns that were taken back.
func (d *codex) event(payload value) {
	switch kind := payload.get("type"); {
	case kind.is("token_count"):
		info := payload.get("info")
		d.window(info)
		d.reported(info)
	case kind.is("task_started"), kind.is("turn_started"):
		d.window(payload)
	case kind.is("thread_rolled_back"):
		d.rollBack(payload.get("num_turns").number())
	}
}

func (d *codex) window(v value) {
	if window := tokensOf(v.get("model_context_window")); window > 0 {
		d.session.Window = window
	}
}

// reported takes a count of tokens. The same count is written again and again;
// the sum over all requests is never the context. A count without its parts is
// the host's own estimate, made when it has rewritten its list.
func (d *codex) reported(info value) {
	u := codexWire.usage(info.get("last_token_usage"))
	spent := tokensOf(info.get("total_token_usage").get("total_tokens"))
	if spent > 0 {
		d.session.Usage.Spent = spent
	}
	report := [2]kernel.Tokens{u.Tokens, spent}
	if !u.Known || report == d.counted {
		return
	}
	d.counted = report
	n := len(d.seq.items)
	estimate := u.Prompt+u.Reply == 0
	switch {
	case d.last >= 0 && !estimate:
		it := d.seq.items[d.last]
		it.usage, it.reported = u, true
		d.seq.set(d.last, it)
		d.last, d.replying = -1, false
	case estimate && n > 0 && d.seq.items[n-1].reported:
		// The provider's own count of the same list is known.
	default:
		d.seq.learn(u)
	}
}

// rollBack takes back the newest turns of the user, with what follows them.
func (d *codex) rollBack(turns int64) {
	if turns <= 0 {
		return
	}
	first := -1
	for i := len(d.seq.items) - 1; i >= 0 && turns > 0; i-- {
		if d.seq.items[i].prompt {
			first = i
			turns--
		}
	}
	if first >= 0 {
		d.seq.cut(first)
	}
	d.last, d.replying = -1, false
}

// compacted takes a compaction: its new history, or, as it was written before,
// what stays of the old one with a summary behind it.
func (d *codex) compacted(payload value, src kernel.Source, time int64) {
	id := fmt.Sprintf("c%04d", d.number)
	var items []item
	if history := payload.get("replacement_history"); history.isArray() {
		items = d.history(history, id, src, time)
	} else {
		items = d.asked()
		p := codexPart{role: kernel.RoleUser, text: payload.get("message").appendText(nil)}
		items = append(items, item{reply: none, messages: []int32{d.hold(&p, id, 0, src, time)}})
	}
	d.seq.replace(items, time)
	d.last, d.replying = -1, false
}

// history measures the items of a new history. Their replies are no turns: the
// list comes as a whole.
func (d *codex) history(list value, id string, src kernel.Source, time int64) []item {
	var items []item
	k, replying := 0, false
	for rec := range list.items() {
		it, ok := d.build(rec, fmt.Sprintf("%s-%d", id, k), inner(src, rec), time)
		if k++; !ok {
			continue
		}
		if it.own > 0 && !replying {
			it.reply = d.seq.journal.holdReply(d.seq.journal.messages.at(it.messages[0]).ID, time)
		}
		replying = it.own > 0
		items = append(items, it)
	}
	return items
}

// asked is what a compaction without a history leaves: the texts of the user
// and of the host.
func (d *codex) asked() []item {
	var items []item
	for _, it := range d.seq.items {
		first := d.seq.journal.messages.at(it.messages[0])
		if first.Type == kernel.Text && (first.Role == kernel.RoleUser || first.Role == kernel.RoleSystem) {
			it.usage, it.reported = Usage{}, false
			items = append(items, it)
		}
	}
	return items
}
