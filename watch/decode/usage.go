package decode

import "ctxscope/kernel"

// wire says how a provider's wire writes down what a request used.
type wire struct {
	input, output, read, write, total string
	details                           string // the member that holds read; empty: it stands beside the others
	inside                            bool   // the cached tokens are part of the input
}

var (
	piWire        = wire{input: "input", output: "output", read: "cacheRead", write: "cacheWrite", total: "totalTokens"}
	chatWire      = wire{input: "prompt_tokens", output: "completion_tokens", total: "total_tokens", read: "cached_tokens", details: "prompt_tokens_details", inside: true}
	responsesWire = wire{input: "input_tokens", output: "output_tokens", total: "total_tokens", read: "cached_tokens", details: "input_tokens_details", inside: true}
	codexWire     = wire{input: "input_tokens", output: "output_tokens", total: "total_tokens", read: "cached_input_tokens", inside: true}
)

// usage reads a usage record. The context is the total, or the prompt with
// all cached tokens and the reply where no total is given. All zero is none.
func (w wire) usage(v value) Usage {
	var u Usage
	var write, total kernel.Tokens
	for k, n := range v.members() {
		if len(k) == 0 {
			continue // no name of a wire that does not have all of them
		}
		switch string(k) {
		case w.input:
			u.Prompt = tokensOf(n)
		case w.output:
			u.Reply = tokensOf(n)
		case w.read:
			u.Cached = tokensOf(n)
		case w.write:
			write = tokensOf(n)
		case w.total:
			total = tokensOf(n)
		case w.details:
			u.Cached = tokensOf(n.get(w.read))
		}
	}
	if !w.inside {
		u.Prompt += u.Cached + write
	}
	if u.Tokens = total; total == 0 {
		u.Tokens = u.Prompt + u.Reply
	}
	u.Known = u.Tokens > 0
	return u
}

// tokensOf is a number of tokens; what is none is 0.
func tokensOf(v value) kernel.Tokens {
	return kernel.Tokens(min(max(v.number(), 0), 1<<31-1))
}
