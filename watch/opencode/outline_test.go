package opencode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxscope/kernel"
)

// told are the newest messages of a session and how large they say that the
// context is.
var told = map[string]struct {
	messages []string
	context  kernel.Tokens
}{
	"the newest reply counts":             {[]string{reported(100), reported(200)}, 200},
	"a total goes before its parts":       {[]string{`{"role":"assistant","tokens":{"total":900,"input":1,"output":1}}`}, 900},
	"a reply that still runs has no size": {[]string{reported(100), reported(0)}, 100},
	"a prompt tells nothing":              {[]string{reported(100), `{"role":"user","summary":{"diffs":[]}}`}, 100},
	"what is no record tells nothing":     {[]string{reported(100), `{"role":`, `[1]`, `{"role":7,"tokens":3}`, `{"role":"assistant","tokens":{"input":"many"}}`}, 100},
	"after a compaction nothing is known": {[]string{reported(100), `{"role":"assistant","summary":true,"finish":"stop","tokens":{"input":90,"output":9}}`}, 0},
	"until the next reply":                {[]string{reported(100), `{"role":"assistant","summary":true,"tokens":{"input":90}}`, reported(30)}, 30},
	"nothing was said":                    {nil, 0},
}

func reported(tokens int) string {
	return fmt.Sprintf(`{"role":"assistant","modelID":"m%d","tokens":{"input":%d,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}}`, tokens, tokens)
}

// weighs holds that a session tells its context and the model of that reply.
func weighs(t *testing.T, s Session, want kernel.Tokens) {
	t.Helper()
	if s.Usage.Tokens != want || s.Usage.Known != (want > 0) || s.Usage.Stale {
		t.Errorf("usage %+v, want %v", s.Usage, want)
	}
	if model := fmt.Sprintf("m%v", want); want > 0 && want != 900 && s.Model != model {
		t.Errorf("model %q, want %q", s.Model, model)
	}
}

func TestAListedSessionOfADatabaseTellsItsContext(t *testing.T) {
	for name, c := range told {
		t.Run(name, func(t *testing.T) {
			path, writer := newDatabase(t, tables)
			putSession(t, writer, "s", "", 10)
			putSession(t, writer, "other", "", 5)
			putMessage(t, writer, "other", "m99", 99, reported(7))
			for i, data := range c.messages {
				putMessage(t, writer, "s", fmt.Sprintf("m%d", i), int64(i), data)
			}
			all, err := sessions(context.Background(), path, time.Hour)
			if err != nil || len(all) != 2 || all[0].ID != "s" {
				t.Fatalf("%+v, error %v", all, err)
			}
			weighs(t, all[0], c.context)
			weighs(t, all[1], 7)
		})
	}
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putMessage(t, writer, "s", "m1", 1, reported(100))
	must(t, writer, `UPDATE session SET revert = '{"messageID":"m1"}'`)
	all, err := sessions(context.Background(), path, time.Hour)
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, error %v", all, err)
	}
	weighs(t, all[0], 0) // the reply was taken back
	must(t, writer, `UPDATE session SET revert = NULL`)
	all, err = sessions(context.Background(), path, 0)
	if err != nil || len(all) != 1 {
		t.Fatalf("without time: %+v, error %v", all, err)
	}
	weighs(t, all[0], 0)
}

func TestAListedSessionOfFilesTellsItsContext(t *testing.T) {
	for name, c := range told {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"session/p/ses_1.json": sessionFile}
			for i, data := range c.messages {
				files[fmt.Sprintf("message/ses_1/msg_%d.json", i)] = data
			}
			s, err := TreeSession(filepath.Join(plant(t, files), "session/p/ses_1.json"))
			if err != nil || s.ID != "ses_1" || s.Title != "t" || s.Folder != "/proj" || s.Parent != "" || s.Updated.UnixMilli() != 2 {
				t.Fatalf("%+v, error %v", s, err)
			}
			weighs(t, s, c.context)
		})
	}
}

// What a subagent was asked for first leads from the call that started it to
// its session; of another session without a title it is what it is about.
func TestAListedSubagentTellsWhatItWasAsked(t *testing.T) {
	path, writer := newDatabase(t, tables)
	putSession(t, writer, "s", "", 10)
	putSession(t, writer, "child", "s", 20)
	putSession(t, writer, "untitled", "", 5)
	must(t, writer, `UPDATE session SET title = '' WHERE id = 'untitled'`)
	for _, session := range []string{"s", "child", "untitled"} {
		putMessage(t, writer, session, session+"2", 2, `{"role":"user"}`)
		putPart(t, writer, session+"2", session+"21", 1, textData("later"))
		putMessage(t, writer, session, session+"1", 1, `{"role":"user"}`)
		putPart(t, writer, session+"1", session+"11", 1, `{"type":"file","mime":"image/png"}`)
		putPart(t, writer, session+"1", session+"12", 1, `{"type":`)
		putPart(t, writer, session+"1", session+"13", 1, `{"type":"text","text":"for the screen","ignored":true}`)
		putPart(t, writer, session+"1", session+"14", 1, `{"type":"text","text":"a folder's list","synthetic":true}`)
		putPart(t, writer, session+"1", session+"15", 1, textData("search for "+session))
	}
	all, err := sessions(context.Background(), path, time.Hour)
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, error %v", all, err)
	}
	for i, want := range []string{"search for child", "", "search for untitled"} {
		if all[i].Prompt != want {
			t.Errorf("%s: prompt %q, want %q", all[i].ID, all[i].Prompt, want)
		}
	}
}

func TestAListedSubagentOfFilesTellsWhatItWasAsked(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/p/ses_1.json":     strings.Replace(sessionFile, `"title"`, `"parentID":"ses_0","title"`, 1),
		"message/ses_1/msg_2.json": `{"role":"assistant"}`,
		"message/ses_1/msg_1.json": `{"role":"user"}`,
		"part/msg_1/prt_1.json":    `{"type":"text","text":"a list","synthetic":true}`,
		"part/msg_1/prt_2.json":    textData("search for it"),
		"part/msg_2/prt_3.json":    textData("found"),
	})
	if s, err := TreeSession(filepath.Join(folder, "session/p/ses_1.json")); err != nil || s.Prompt != "search for it" {
		t.Errorf("prompt %q, error %v", s.Prompt, err)
	}
}

func TestWhatIsNotListedAsASessionOfFiles(t *testing.T) {
	folder := plant(t, map[string]string{
		"session/p/ses_1.json": strings.Replace(sessionFile, `"title":"t"`, `"title":7,"parentID":"ses_0","time":{"created":1}`, 1),
		"session/p/ses_2.json": `{"id":"ses_2"}`,
		"session/p/ses_3.json": strings.Replace(sessionFile, "ses_1", "ses_3", 1),
	})
	at := func(name string) string { return filepath.Join(folder, "session/p", name) }
	if s, err := TreeSession(at("ses_1.json")); err != nil || s.Parent != "ses_0" || s.Title != "" {
		t.Errorf("%+v, error %v", s, err)
	}
	if err := os.Truncate(at("ses_3.json"), 64<<30); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{"ses_2.json": ErrNoSession, "ses_3.json": ErrNoSession, "ses_4.json": fs.ErrNotExist} {
		if s, err := TreeSession(at(name)); !errors.Is(err, want) {
			t.Errorf("%s: %+v, error %v", name, s, err)
		}
	}
}
