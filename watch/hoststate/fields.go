package hoststate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"ctxscope/kernel"
)

// fields are the members of a JSON object.
type fields map[string]json.RawMessage

// object reads an object; anything else is nil.
func object(raw json.RawMessage) fields {
	var f fields
	if json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return f
}

func (f fields) object(name string) fields { return object(f[name]) }

func (f fields) nudge() fields { return f.object("nudge") }

// get reads a member; one that is missing or of another type is zero.
func get[T any](f fields, name string) T {
	var v, none T
	if json.Unmarshal(f[name], &v) != nil {
		return none
	}
	return v
}

// isArray reports whether a member is a list.
func (f fields) isArray(name string) bool {
	var list []json.RawMessage
	return json.Unmarshal(f[name], &list) == nil && list != nil
}

// put sets a member.
func (f fields) put(name string, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("hoststate: write %s: %v", name, err)) // only values of this package are written
	}
	f[name] = raw
}

// cleaner takes over the fields of a kernel state one by one: what is not of
// its type is left out, so that it has its default, and noted.
type cleaner struct {
	out   fields
	notes []string
}

// clean gives the kernel state that an object holds, with the fields that it
// was made of and a note for each that was left out.
func clean(in fields) (kernel.State, fields, []string) {
	c := cleaner{out: fields{}}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		switch name {
		case "blocks":
			c.blocks(in[name])
		case "messageRefs":
			c.refs(in.object(name))
		case "nudge", "stats":
			c.group(name, in.object(name))
		default:
			if c.sound(name, in[name]) {
				c.out[name] = in[name]
			} else {
				c.note("%s is of the wrong type and left out", name)
			}
		}
	}
	state, err := c.out.state()
	if err != nil {
		c.note("the state cannot be used: %v", err)
		state, c.out = kernel.NewState(), fields{}
	}
	return state, c.out, c.notes
}

// state makes a kernel state of its fields.
func (f fields) state() (kernel.State, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return kernel.State{}, err
	}
	var s kernel.State
	err = json.Unmarshal(data, &s)
	return s, err
}

func (c *cleaner) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// sound reports whether the kernel can read a field.
func (c *cleaner) sound(name string, raw json.RawMessage) bool {
	_, err := fields{name: raw}.state()
	return err == nil
}

// blocks takes over the blocks that are sound.
func (c *cleaner) blocks(raw json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		c.note("blocks is no list and left out")
		return
	}
	blocks := []kernel.Block{}
	for i, raw := range list {
		var b kernel.Block
		if json.Unmarshal(raw, &b) != nil || b.ID == "" {
			c.note("block %d of the list is damaged and left out", i+1)
			continue
		}
		for _, ids := range []*[]string{&b.DirectMessageIDs, &b.EffectiveMessageIDs, &b.DirectBlockIDs} {
			if *ids == nil {
				*ids = []string{}
			}
		}
		blocks = append(blocks, b)
	}
	c.out.put("blocks", blocks)
}

// refs takes over the entries of both maps that are sound.
func (c *cleaner) refs(in fields) {
	if in == nil {
		c.note("messageRefs is of the wrong type and left out")
		return
	}
	out := map[string]map[string]string{"byRaw": {}, "byRef": {}}
	for name, entries := range out {
		for key, raw := range in.object(name) {
			var to string
			if json.Unmarshal(raw, &to) != nil {
				c.note("%s of %q is no string and left out", name, key)
				continue
			}
			entries[key] = to
		}
	}
	c.out.put("messageRefs", out)
}

// group takes over the members of a group that are sound.
func (c *cleaner) group(name string, in fields) {
	if in == nil {
		c.note("%s is of the wrong type and left out", name)
		return
	}
	out := fields{}
	for _, member := range slices.Sorted(maps.Keys(in)) {
		one := fields{}
		one.put(name, fields{member: in[member]})
		if c.sound(name, one[name]) {
			out[member] = in[member]
		} else {
			c.note("%s of %s is of the wrong type and left out", member, name)
		}
	}
	c.out.put(name, out)
}
