package decode

import "ctxscope/kernel"

// claudeDraft reads lines ahead of their turn.
type claudeDraft struct {
	d     *claude
	scan  scanner
	read  claudeReader
	lines []claudeDrafted
	taken int
}

// claudeDrafted is one line. One that is not exactly one record is read in its
// turn.
type claudeDrafted struct {
	line   []byte
	offset int // of the record in the line
	single bool
	read   claudeRead
}

// Draft gives an empty draft. A counter that is not the kernel's own counts
// one text at a time, and everything waits for it anyway.
func (d *claude) Draft() Draft {
	if d.count != nil {
		return nil
	}
	return &claudeDraft{d: d}
}

func (c *claudeDraft) Read(data []byte, start, end int) {
	at := claudeDrafted{line: data[start:end]}
	from, to := bounds(at.line, Place{Offset: 1})
	from, to = start+skipBlank(at.line, from), start+to
	if from < to {
		rec, behind, ok := c.scan.more(data[:to], from)
		if at.single = ok && rec.isObject() && skipBlank(data[:to], behind) == to; at.single {
			at.offset = from - start
			at.read = c.read.record(rec, kernel.Source{Length: int64(behind - from)}, nil)
		}
	}
	c.lines = append(c.lines, at)
}

func (c *claudeDraft) Take(at Place) {
	drafted := &c.lines[c.taken]
	c.taken++
	if drafted.single {
		for i := range drafted.read.messages {
			drafted.read.messages[i].Source.Offset = at.Offset + int64(drafted.offset)
		}
		c.d.record(&drafted.read)
	} else {
		c.d.Line(drafted.line, at)
	}
	if c.taken == len(c.lines) {
		c.empty()
	}
}

// empty makes room for other lines.
func (c *claudeDraft) empty() {
	clear(c.lines)
	c.lines, c.taken = c.lines[:0], 0
	c.scan.nodes = c.scan.nodes[:0]
	c.scan.release()
	c.read.empty()
	c.read.release()
}
