package decode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"ctxscope/kernel"
)

// randomClaude is a session of n records that obeys no host: few names for
// records, replies and calls, so that everything that can go wrong does.
func randomClaude(seed uint64, n int) []obj {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(prefix string, n int) string { return fmt.Sprint(prefix, r.IntN(n)) }
	var records []obj
	last := ""
	wild := 1 + r.IntN(6) // how often a record hangs elsewhere than off the one before
	for i := range n {
		uuid, parent := fmt.Sprint("n", i), last
		if r.IntN(12) == 0 {
			uuid = pick("n", n)
		}
		if r.IntN(wild) == 0 {
			parent = pick("n", n)
		}
		if r.IntN(40) == 0 {
			parent = ""
		}
		var rec obj
		switch r.IntN(13) {
		case 0, 1:
			rec = user(uuid, parent, pick("text", 9))
		case 2, 3, 4:
			rec = block(uuid, parent, pick("m", 1+n/4), r.IntN(900), call(pick("t", 1+n/3), "A"))
		case 5, 6, 7:
			rec = answer(uuid, parent, pick("t", 1+n/3), "x")
		case 8:
			rec = block(uuid, parent, pick("m", 1+n/4), r.IntN(900), say(pick("text", 9)))
		case 9:
			rec = user(uuid, parent, "<bash-input>ls")
		case 10:
			rec = hostError(uuid, parent)
		case 11:
			rec = randomNote(r, uuid, parent)
		case 12:
			rec = randomBoundary(pick, r.IntN(4), uuid)
		}
		if m, ok := rec["message"].(obj); ok && m["model"] != nil {
			m["model"] = []string{"", "", "", "claude-x", "claude-y"}[r.IntN(5)]
		}
		switch r.IntN(15) {
		case 0:
			rec["isMeta"] = true
		case 1:
			rec["isCompactSummary"] = true
		case 2:
			rec["teamName"] = "t"
		case 3:
			rec["isSidechain"] = seed%3 == 0
		}
		records = append(records, rec)
		if r.IntN(8) > 0 {
			last = uuid
		}
	}
	return records
}

func randomNote(r *rand.Rand, uuid, parent string) obj {
	switch r.IntN(3) {
	case 0:
		return rec("progress", uuid, parent)
	case 1:
		return rec("system", uuid, parent, obj{"subtype": "microcompact_boundary", "microcompactMetadata": obj{"compactedToolIds": []string{"t1"}}})
	}
	return rec("attachment", uuid, parent, obj{"attachment": obj{"type": "queued_command", "prompt": "also"}})
}

func randomBoundary(pick func(string, int) string, kind int, uuid string) obj {
	n := func() string { return pick("n", 40) }
	meta := obj{"preTokens": 9}
	switch kind {
	case 1:
		meta["preservedMessages"] = obj{"anchorUuid": n(), "uuids": []string{n(), n(), n()}, "allUuids": []string{n(), n()}}
	case 2:
		meta["preservedSegment"] = obj{"headUuid": n(), "anchorUuid": n(), "tailUuid": n()}
	case 3:
		return boundary(uuid, n(), meta)
	}
	return boundary(uuid, "", meta)
}

func TestClaudeRandomPieceByPiece(t *testing.T) {
	for seed := range uint64(400) {
		data := claudeBytes(randomClaude(seed, 10+int(seed%50)))
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { samePieceByPiece(t, data) }) {
			t.Fatalf("the session:\n%s", data)
		}
	}
}

// claudeLaws fails unless a journal is one that a kernel can fold: usages
// stand in a reply, no result of a call stands before the call when the call
// is in the same reply's piece, and each text can be read again.
func claudeLaws(t *testing.T, d Decoder, data []byte, journal []kernel.Entry) {
	t.Helper()
	open := false
	for i, e := range journal {
		switch e.Op {
		case kernel.Reply:
			open = true
		case kernel.Usage:
			if !open || e.Used <= 0 {
				t.Fatalf("entry %d: usage of %v tokens, in a reply: %v", i, e.Used, open)
			}
			open = false
		case kernel.Append:
			readAgain(t, d, data, e.Message)
		case kernel.Replace:
			open = false
			for _, m := range e.List {
				readAgain(t, d, data, m)
			}
		default:
			t.Fatalf("entry %d: op %d", i, e.Op)
		}
	}
}

func readAgain(t *testing.T, d Decoder, data []byte, m kernel.Message) {
	t.Helper()
	end := m.Source.Offset + m.Source.Length
	if m.Source.Offset < 0 || m.Source.Length <= 0 || end > int64(len(data)) {
		t.Fatalf("message %q stands at %+v of %d bytes", m.ID, m.Source, len(data))
	}
	text, ok := d.Text(data[m.Source.Offset:end], m.Source.Part)
	if !ok || kernel.Len16(text) != m.Chars {
		t.Fatalf("message %q of %d chars reads %q again (%v)", m.ID, m.Chars, text, ok)
	}
}

func TestClaudeFilesObeyTheLaws(t *testing.T) {
	for _, path := range claudeFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := newClaude(nil)
		feed(d, data, nil)
		claudeLaws(t, d, data, d.Change().Entries)
	}
}

func FuzzClaude(f *testing.F) {
	for _, path := range claudeFiles(f) {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	for _, c := range claudeJournals {
		f.Add(claudeBytes(c.records))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Count(data, []byte("\n")) > 100 {
			return // too many lines to read once for each
		}
		data = append(data, '\n')
		samePieceByPiece(t, data)
		sameAhead(t, data)
		d := newClaude(nil)
		feed(d, data, nil)
		claudeLaws(t, d, data, d.Change().Entries)
	})
}
