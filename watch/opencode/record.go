package opencode

import (
	"bytes"
	"encoding/json"
)

// record is a message as an export has it: its own record and those of its
// parts, whose ids may stand beside them.
type record struct {
	bytes []byte
	parts int
}

// newRecord starts the record of a message.
func newRecord(id string, info []byte) *record {
	r := &record{bytes: []byte(`{"info":`)}
	r.object(id, info)
	r.bytes = append(r.bytes, `,"parts":[`...)
	return r
}

func (r *record) part(id string, data []byte) {
	if r.parts++; r.parts > 1 {
		r.bytes = append(r.bytes, ',')
	}
	r.object(id, data)
}

// whole ends the record and gives it.
func (r *record) whole() []byte { return append(r.bytes, "]}"...) }

// object appends an object with an id put into it. What is no object stands as
// null, so that one damaged record does not take its message with it.
func (r *record) object(id string, data []byte) {
	data = bytes.TrimSpace(data)
	if len(data) < 2 || data[0] != '{' || !json.Valid(data) {
		r.bytes = append(r.bytes, "null"...)
		return
	}
	name, err := json.Marshal(id)
	if err != nil { // a string is always written
		name = []byte(`""`)
	}
	r.bytes = append(append(r.bytes, `{"id":`...), name...)
	if inside := bytes.TrimSpace(data[1:]); inside[0] != '}' {
		r.bytes = append(append(r.bytes, ','), inside...)
		return
	}
	r.bytes = append(r.bytes, '}')
}
