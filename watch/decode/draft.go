package decode

// Drafter is implemented by decoders that can read most of a line without
// knowing the lines before it, so that many lines can be read at a time.
type Drafter interface {
	// Draft gives an empty draft, or nil when lines cannot be read ahead yet.
	Draft() Draft
}

// Draft holds lines that were read on their own and wait for their turn.
type Draft interface {
	// Read reads one line, which stands in data from start to end, the place
	// of its LF. The data of the lines of one draft begin with the same bytes,
	// and must stand until all are taken. Drafts of one decoder may read at the
	// same time, and while another draft is taken.
	Read(data []byte, start, end int)

	// Take hands the next of the lines read to the decoder, as Decoder.Line
	// would. After the last one the draft is empty again.
	Take(at Place)
}

// Draft is that of the decoder for the format that was found.
func (d *detecting) Draft() Draft {
	if chosen, ok := d.chosen.(Drafter); ok {
		return chosen.Draft()
	}
	return nil
}
