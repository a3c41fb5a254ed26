package hoststate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"ctxscope/kernel"
	"ctxscope/watch/decode"
)

// The beginnings of files that are not plain JSON, each followed by a version
// and a mode.
const (
	encryptedMagic  = "BILIENC1"
	compressedMagic = "BILIZSTD1"
)

// plain is the JSON text of a file, out of the frame that newer hosts may put
// around it.
func plain(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte(encryptedMagic)) {
		return nil, ErrEncrypted
	}
	framed, ok := bytes.CutPrefix(data, []byte(compressedMagic))
	switch {
	case !ok:
		return bytes.TrimPrefix(data, []byte("\ufeff")), nil
	case len(framed) < 2:
		return nil, ErrHalf
	case framed[1] != 0:
		return nil, ErrCompressed
	}
	return framed[2:], nil
}

// Parse reads a state of any kind, found from its content. It is one of the
// errors of this package when there is none to be read.
func Parse(data []byte) (State, error) {
	data, err := plain(data)
	if err != nil {
		return State{}, err
	}
	if !json.Valid(data) {
		return State{}, ErrHalf
	}
	return parseObject(object(data))
}

func parseObject(f fields) (State, error) {
	id := get[string](f, "id")
	switch payload := f.object("payload"); {
	case f == nil:
		return State{}, ErrNotState
	case f.object("prune") != nil:
		return parseOpencode(f), nil
	case id != "" && payload != nil:
		s, err := parsePayload(payload)
		s.Session, s.Saved = id, get[int64](f, "savedAt")
		return s, err
	case id != "" && f.object("state").isArray("blocks"):
		return parseProxy(f), nil
	case f.isArray("blocks"), f.object("messageRefs") != nil:
		s := State{Kind: PiSidecar, Counting: "Pi host messages"}
		s.take(f)
		return s, nil
	}
	return State{}, ErrNotState
}

// parsePayload reads what an envelope holds.
func parsePayload(f fields) (State, error) {
	state := f.object("state")
	switch {
	case state != nil && (f.object("meta") != nil || f.object("stats") != nil):
		return parseProxy(f), nil
	case state != nil:
		return parseFold(f, state), nil
	case f.isArray("blocks"), f.object("messageRefs") != nil:
		s := State{Kind: KernelStore, Counting: "messages"}
		s.take(f)
		return s, nil
	}
	return State{}, ErrNotState
}

// take takes over a kernel state.
func (s *State) take(f fields) {
	var notes []string
	s.Kernel, s.fields, notes = clean(f)
	s.Notes = append(s.Notes, notes...)
}

// parseFold reads the payload of the oh-my-pi plugin. It numbers what was
// sent, by hashes of what it says.
func parseFold(f, state fields) State {
	s := State{Kind: OmpFold, Counting: "messages as sent", Hashed: true}
	s.take(state)
	s.hold(f["coreMessages"])
	return s
}

// parseProxy reads a session of the proxy: what is known of it stands apart
// from its state, or flat beside it in the oldest version.
func parseProxy(f fields) State {
	s := State{Kind: ProxySession, Counting: "parts", Hashed: true, Session: get[string](f, "id"), Saved: get[int64](f, "savedAt")}
	meta, stats := f.object("meta"), f.object("stats")
	if meta == nil {
		meta = f
	}
	if stats == nil {
		stats = f
	}
	s.take(f.object("state"))
	if s.Title = get[string](meta, "title"); s.Title == "" {
		s.Title = get[string](meta, "label")
	}
	s.Context = max(0, get[kernel.Tokens](stats, "contextTokens"))
	s.hold(f["messages"])
	return s
}

// hold takes over the messages that a file holds itself.
func (s *State) hold(raw json.RawMessage) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return
	}
	d := decode.New("core", nil)
	for i, message := range list {
		var line bytes.Buffer
		if err := json.Compact(&line, message); err == nil {
			d.Line(line.Bytes(), decode.Place{Number: i + 1, Offset: 1})
		}
	}
	for _, p := range d.Session().Problems {
		s.Notes = append(s.Notes, fmt.Sprintf("message %d is left out: %s", p.Line, p.Reason))
	}
	for _, e := range d.Change().Entries {
		if e.Op == kernel.Append {
			e.Message.Source = kernel.Source{}
			s.Messages = append(s.Messages, e.Message)
		}
	}
}
