package decode

// maxDocument is the most bytes of a session that is one JSON object.
const maxDocument = 512 << 20

// document gathers the lines of a file that is one JSON object as a whole. Its
// text is that of the file, byte by byte, so that places in it are places in
// the file.
type document struct {
	text    []byte
	offset  int64 // of its first byte
	number  int   // of its first line
	depth   int   // of the brackets that are open
	quoted  bool  // the text ends inside a string
	escaped bool  // and behind a backslash
}

// begins reports whether a line is the first one of an object that a program
// has spread over many lines.
func (d *document) begins(line []byte, at Place) bool {
	start, end := bounds(line, at)
	start = skipBlank(line[:end], start)
	for end > start && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	if start == end || line[start] != '{' {
		return false
	}
	last := line[end-1]
	return last == '{' || last == '[' || last == ','
}

// open reports whether the object was begun and goes on.
func (d *document) open() bool { return d.depth > 0 }

// take takes the next line. whole is the object once it has ended, good until
// take is called again; what stands behind it on its line is left out. reason
// says why the object is given up.
func (d *document) take(line []byte, at Place) (whole []byte, reason string) {
	if !d.open() {
		start, end := bounds(line, at)
		start = skipBlank(line[:end], start)
		*d = document{text: d.text[:0], offset: at.Offset + int64(start), number: at.Number}
		line = line[start:]
	}
	if len(d.text)+len(line) > maxDocument {
		*d = document{}
		return nil, "the object is longer than 512 MiB"
	}
	d.text = append(d.text, line...)
	if end := d.end(line); end >= 0 {
		whole = d.text[:len(d.text)-len(line)+end]
		d.text = nil
		return whole, ""
	}
	d.text = append(d.text, '\n')
	return nil, ""
}

// end goes on over a line and gives the place behind the bracket that ends the
// object, -1 while it goes on.
func (d *document) end(line []byte) int {
	for i, c := range line {
		switch {
		case d.escaped:
			d.escaped = false
		case d.quoted:
			d.escaped = c == '\\'
			d.quoted = c != '"'
		case c == '"':
			d.quoted = true
		case c == '{', c == '[':
			d.depth++
		case c == '}', c == ']':
			if d.depth--; d.depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
