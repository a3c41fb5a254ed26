// Package tokens counts tokens with an embedded vocabulary, within bounds.
//
// Nothing is ever fetched from a network.
package tokens

import (
	"fmt"
	"sync"

	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"

	"ctxscope/kernel"
)

// New returns a counter for encoding: "o200k_base" or "cl100k_base", "o200k"
// and "cl100k" for short. The first call for an encoding builds its tables,
// which takes some tenths of a second; later calls are given the same ones.
// The counter may be used by several goroutines.
//
// Names of special tokens inside a text are counted as the plain text that
// they are. Bytes that are not UTF-8 count as the replacement character.
//
// The time for a text is in proportion to its length. That is so because an
// unbroken run (letters without a space, one sign over and over, blanks) is
// cut once it is 1,024 bytes long. Texts without such a run are counted exactly;
// each cut makes the count differ by about a token.
func New(encoding string) (kernel.Counter, error) {
	build, ok := builders[encoding]
	if !ok {
		return nil, fmt.Errorf("token encoding %q is none of o200k_base, o200k, cl100k_base, cl100k", encoding)
	}
	encoder, err := build()
	if err != nil {
		return nil, fmt.Errorf("build token encoding %s: %w", encoding, err)
	}
	return func(text string) kernel.Tokens {
		total := 0
		cut(text, func(piece string) { total += len(encoder.EncodeOrdinary(piece)) })
		return kernel.Tokens(total)
	}, nil
}

var (
	o200k  = builder(tiktoken.MODEL_O200K_BASE)
	cl100k = builder(tiktoken.MODEL_CL100K_BASE)

	builders = map[string]func() (*tiktoken.Tiktoken, error){
		"o200k_base":  o200k,
		"o200k":       o200k,
		"cl100k_base": cl100k,
		"cl100k":      cl100k,
	}
)

// offline keeps the library away from the network. It must be called before
// any encoding is asked for.
var offline = sync.OnceFunc(func() {
	tiktoken.SetBpeLoader(tiktoken_loader.NewOfflineLoader())
})

// builder returns a function that builds an encoding once.
func builder(name string) func() (*tiktoken.Tiktoken, error) {
	return sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
		offline()
		return tiktoken.GetEncoding(name)
	})
}
