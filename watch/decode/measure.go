package decode

import (
	"unsafe"

	"ctxscope/kernel"
)

// measure sets what rules need to know about a text that lies in a buffer, as
// kernel.Message.Measure does. The kernel's own measure keeps nothing of the
// text that it is given, so it need not be copied first, which would cost as
// much as counting it; a counter may keep what it likes.
func measure(m *kernel.Message, text []byte, count kernel.Counter) {
	if count != nil {
		m.Measure(string(text), count)
		return
	}
	m.Measure(unsafe.String(unsafe.SliceData(text), len(text)), nil)
}

// tokensIn counts a text that is no message; a nil counter is the kernel's
// estimate.
func tokensIn(text string, count kernel.Counter) kernel.Tokens {
	if count == nil {
		return kernel.Estimate(text)
	}
	return count(text)
}
