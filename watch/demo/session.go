package demo

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

//go:embed session.jsonl.gz
var zipped []byte

// session is the file that the demo plays.
func session() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// record is one line of the session.
type record struct {
	end int           // offset behind its LF
	at  time.Duration // when it is written, in time of play
}

// schedule says when each line is written, from the time that it carries.
func schedule(data []byte) ([]record, error) {
	var records []record
	var start time.Time
	for offset := 0; offset < len(data); {
		n := bytes.IndexByte(data[offset:], '\n')
		if n < 0 {
			return nil, fmt.Errorf("line %d has no end", len(records)+1)
		}
		var line struct {
			Timestamp time.Time `json:"timestamp"`
		}
		if err := json.Unmarshal(data[offset:offset+n], &line); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(records)+1, err)
		}
		if start.IsZero() {
			start = line.Timestamp
		}
		offset += n + 1
		at := time.Duration(float64(line.Timestamp.Sub(start)) / pace)
		records = append(records, record{end: offset, at: at})
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	return records, nil
}
