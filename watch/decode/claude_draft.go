package decode

import "ctxscope/kernel"

// claudeDraft reads lines ahead of their turn.
type claudeDraft struct {
	d      *claude
	scan   scanner
	reader claudeReader
	lines  []claudeDrafted
	taken  int // of lines
}

// claudeDrafted is one line. One that is not exactly one record is read in its
// turn.
type claudeDrafted struct {
	line   []byte
	single bool // it is exactly one record
	offset int  // of the record in the line
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
	c.lines = append(c.lines, claudeDrafted{line: data[start:end]})
	drafted := &c.lines[len(c.lines)-1]
	from, to := bounds(drafted.line, Place{Offset: 1}) // a byte-order mark leaves the line to its turn
	from, to = start+skipBlank(drafted.line, from), start+to
	if from < to {
		rec, behind, ok := c.scan.more(data[:to], from)
		if drafted.single = ok && rec.isObject() && skipBlank(data[:to], behind) == to; drafted.single {
			drafted.offset = from - start
			c.reader.record(&drafted.read, rec, kernel.Source{Length: int64(behind - from)}, nil)
		}
	}
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
	c.reader.empty()
	c.reader.release()
}
