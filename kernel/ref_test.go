package kernel

import (
	"strings"
	"testing"
)

// FuzzRefs reads arbitrary text as refs and boundaries: what is read prints as
// something that reads the same, within its bounds.
func FuzzRefs(f *testing.F) {
	for _, text := range []string{"m00001", " M00012 ", "m0", "m10000000", "b07", "b0", "b1234567890", "BLOCKED", "m\u0661", "", "m-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number, isRef := refNumber(text)
		if isRef && (number < 1 || number > maxRef) {
			t.Errorf("%q is ref number %d", text, number)
		}
		if again, ok := refNumber(formatRef(number)); isRef && (!ok || again != number) {
			t.Errorf("%q is %d, which prints as %q and reads as %d", text, number, formatRef(number), again)
		}
		b, ok := parseBoundary(text)
		block, isBlock := blockNumber(text)
		if ok != (isRef || isBlock) || ok && b.block == isRef {
			t.Errorf("%q: boundary %+v, %v; ref %v, block %v", text, b, ok, isRef, isBlock)
		}
		if isBlock && (block < 1 || block > 999_999_999) {
			t.Errorf("%q is block number %d", text, block)
		}
		if ok && b.text != strings.ToLower(trimJS(text)) {
			t.Errorf("%q is kept as %q", text, b.text)
		}
	})
}
