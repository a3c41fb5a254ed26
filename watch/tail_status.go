package watch

import (
	"path/filepath"
)

// half reports whether a session that is one object is just being written
// anew, so that what was given before may stand for a moment.
func (t *tail) half() bool {
	if !t.reset || !t.whole || t.away != nil || t.options.Once || t.now().Sub(t.changed) >= halfTime {
		return false
	}
	s := t.current.session()
	return s.Half || s.Format == "" && s.Refused == ""
}

func (t *tail) status(refused string) Status {
	now := t.now()
	if t.note != "" && now.Sub(t.noted) >= noteTime {
		t.note = ""
	}
	s := Status{Name: filepath.Base(t.path), Path: t.path, Mode: t.mode(), Missing: t.away != nil && missing(t.away), Note: t.note}
	if t.current != nil {
		t.current.status(&s)
		s.Size = max(t.info.Size(), s.Read+int64(s.Pending))
		s.Modified = t.info.ModTime().UnixMilli()
		s.Live = t.away == nil && !t.options.Once && now.Sub(t.info.ModTime()) < liveTime
	}
	switch {
	case t.away != nil && !missing(t.away):
		s.Note = "the file cannot be read now: " + t.away.Error()
	case t.away != nil && t.current == nil:
		s.Note = "waiting for the file to be made"
	case t.away != nil:
		s.Note = "the file is gone; the last state stands"
	case refused != "":
		s.Note = refused
	case s.Note == "" && t.entries == 0 && !s.Loading() && s.Pending == 0 && s.Read > 0 && t.current.session().Format == "":
		s.Note = unrecognised
	case s.Note == "":
		s.notice(t.entries)
	}
	return s
}

// unrecognised is said of lines none of which belongs to a known format. More
// of them may.
const unrecognised = "nothing in it is known as a session so far: is it the right file?"

// notice notes what is unusual about a file that is there.
func (s *Status) notice(entries int) {
	switch {
	case s.Loading():
	case s.Pending > 0:
		s.Note = "1 unfinished line"
	case entries > 0:
	case s.Mode == ModeOnce:
		s.Note = "it holds no message"
	default:
		s.Note, s.Waiting = "waiting for the first message", true
	}
}

func (t *tail) mode() string {
	switch {
	case t.options.Once:
		return ModeOnce
	case t.watching:
		return ModeWatching
	default:
		return ModePolling
	}
}

func (t *tail) remark(what string) { t.note, t.noted = what+"; it was read again", t.now() }
