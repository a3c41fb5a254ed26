package settings

import (
	"strings"

	"ctxscope/kernel"
)

// row is the window of the models whose name starts with prefix. Family
// groups the models of one maker: when a table entry proves too small, the
// next larger window of the family is taken.
type row struct {
	family string
	prefix string
	tokens kernel.Tokens
}

// models is what makers and model catalogues say, late 2026: the catalogues
// of @earendil-works/pi-ai 1.6.0 and @oh-my-pi/pi-catalog 18.2.11 and
// @google/gemini-cli-core 0.61.0. Where they differ the smaller window of the
// model's own maker stands. Resellers often allow less.
var models = []row{
	{"claude", "claude-3", 200_000},
	{"claude", "claude-opus-4", 200_000},
	{"claude", "claude-sonnet-4", 200_000},
	{"claude", "claude-haiku-4", 200_000},
	{"claude", "claude-opus-4-6", 1_000_000},
	{"claude", "claude-opus-4-7", 1_000_000},
	{"claude", "claude-opus-4-8", 1_000_000},
	{"claude", "claude-sonnet-4-6", 1_000_000},
	{"claude", "claude-opus-5", 1_000_000},
	{"claude", "claude-sonnet-5", 1_000_000},
	{"claude", "claude-haiku-5-5", 1_000_000},
	{"claude", "claude-fable-5", 1_000_000},
	{"claude", "claude-mythos-5", 1_000_000},

	{"gpt", "gpt-4o", 128_000},
	{"gpt", "gpt-4-turbo", 128_000},
	{"gpt", "gpt-4.1", 1_047_576},
	{"gpt", "o1", 200_000},
	{"gpt", "o3", 200_000},
	{"gpt", "o4-mini", 200_000},
	{"gpt", "gpt-5", 400_000},
	{"gpt", "gpt-5.1", 400_000},
	{"gpt", "gpt-5.2", 400_000},
	{"gpt", "gpt-5-chat-latest", 128_000},
	{"gpt", "gpt-5.1-chat-latest", 128_000},
	{"gpt", "gpt-5.2-chat-latest", 128_000},
	{"gpt", "gpt-5.3-chat-latest", 128_000},
	{"gpt", "gpt-5.3-codex-spark", 128_000},
	{"gpt", "gpt-5-codex", 272_000},
	{"gpt", "gpt-5.1-codex", 272_000},
	{"gpt", "gpt-5.2-codex", 272_000},
	{"gpt", "gpt-5.3-codex", 272_000},
	{"gpt", "gpt-5.4", 1_050_000},
	{"gpt", "gpt-5.4-mini", 400_000},
	{"gpt", "gpt-5.4-nano", 400_000},
	{"gpt", "gpt-5.5", 1_050_000},
	{"gpt", "gpt-5.6", 1_050_000},
	{"gpt", "gpt-6", 1_050_000},

	{"gemini", "gemini-2.5", 1_048_576},
	{"gemini", "gemini-3", 1_048_576},
	{"gemini", "gemini-4", 1_048_576},
	{"gemini", "gemini-2.5-flash-image", 32_768},
	{"gemini", "gemini-2.5-flash-live", 131_072},
	{"gemini", "gemini-2.5-computer-use", 131_072},

	{"glm", "glm-4.5", 131_072},
	{"glm", "glm-4.5v", 64_000},
	{"glm", "glm-4.6", 204_800},
	{"glm", "glm-4.6v", 128_000},
	{"glm", "glm-4.7", 204_800},
	{"glm", "glm-4.7-flash", 200_000},
	{"glm", "glm-5", 204_800},
	{"glm", "glm-5-turbo", 200_000},
	{"glm", "glm-5.1", 200_000},
	{"glm", "glm-5.2", 1_000_000},
	{"glm", "glm-5.3", 1_000_000},

	{"kimi", "kimi-k2-0711", 131_072},
	{"kimi", "kimi-k2-0905", 262_144},
	{"kimi", "kimi-k2-thinking", 262_144},
	{"kimi", "kimi-k2.5", 262_144},
	{"kimi", "kimi-k2.6", 262_144},
	{"kimi", "kimi-k2.7-code", 262_144},
	{"kimi", "kimi-k3", 1_048_576},
	{"kimi", "kimi-k3.1", 1_048_576},
	{"kimi", "kimi-k3-256k", 262_144},

	{"deepseek", "deepseek-v4", 1_000_000},
	{"deepseek", "deepseek-flash", 1_000_000},
	{"deepseek", "deepseek-v3", 128_000},
	{"deepseek", "deepseek-chat", 128_000},

	{"qwen", "qwen3-coder-plus", 1_000_000},
	{"qwen", "qwen3-coder-flash", 1_000_000},
	{"qwen", "qwen3.5-plus", 1_000_000},
	{"qwen", "qwen3.6", 1_000_000},
	{"qwen", "qwen3.7", 1_000_000},
	{"qwen", "qwen3.8", 1_000_000},
	{"qwen", "qwen4-max-preview", 1_000_000},
	{"qwen", "qwen3-max", 262_144},
	{"qwen", "qwen3-coder-next", 262_144},
	{"qwen", "qwen3-coder-480b", 262_144},

	{"minimax", "minimax-m2", 204_800},
	{"minimax", "minimax-m3", 1_000_000},

	{"grok", "grok-3", 131_072},
	{"grok", "grok-4", 256_000},
	{"grok", "grok-code-fast-1", 256_000},
	{"grok", "grok-4-fast", 2_000_000},
	{"grok", "grok-4-1-fast", 2_000_000},
	{"grok", "grok-4.3", 1_000_000},
	{"grok", "grok-4.5", 500_000},
	{"grok", "grok-4.6", 500_000},
	{"grok", "grok-4.7", 500_000},

	{"mistral", "mistral-large-2512", 262_144},
	{"mistral", "mistral-medium-2508", 262_144},
	{"mistral", "devstral-2512", 262_144},
	{"mistral", "mistral-large-4", 1_048_576},
	{"mistral", "codestral-latest", 256_000},
	{"mistral", "codestral-2508", 256_000},
	{"mistral", "mistral-small-2603", 256_000},
}

// lookup finds the row with the longest prefix of model. A prefix counts only
// as a whole word: "gpt-5" is none of "gpt-50".
func lookup(model string) (row, bool) {
	name := bareName(model)
	best, found := row{}, false
	for _, r := range models {
		rest, ok := strings.CutPrefix(name, r.prefix)
		if ok && (rest == "" || !alphanumeric(rest[0])) && len(r.prefix) > len(best.prefix) {
			best, found = r, true
		}
	}
	return best, found
}

// bareName cuts from a model's name the provider in front of it, a variant
// behind a colon and a date of eight digits, and writes Claude's version
// numbers with dashes.
func bareName(model string) string {
	name := strings.ToLower(strings.TrimSpace(model))
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	if cut := strings.LastIndexByte(name, '-'); cut > 0 && date(name[cut+1:]) {
		name = name[:cut]
	}
	if strings.HasPrefix(name, "claude") {
		name = strings.ReplaceAll(name, ".", "-")
	}
	return name
}

func date(text string) bool {
	return len(text) == 8 && strings.Trim(text, "0123456789") == ""
}

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// larger is the smallest window of the family that holds peak tokens; any
// family will do where family is empty. It is 0 when there is none.
func larger(family string, peak kernel.Tokens) kernel.Tokens {
	var best kernel.Tokens
	for _, r := range models {
		if (family == "" || r.family == family) && r.tokens >= peak && (best == 0 || r.tokens < best) {
			best = r.tokens
		}
	}
	return best
}
