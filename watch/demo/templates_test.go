package demo

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// A template makes the output of a tool, n lines long, about word. The story
// names templates instead of holding a megabyte of text.
type template func(p pen, word string, n int)

var templates = map[string]template{
	"tree": tree, "prose": prose, "json": jsonText, "ts": source, "spec": spec, "grep": grep,
	"log": logLines, "sql": sqlText, "rows": rows, "diff": diff, "profile": profile,
	"types": typeErrors, "trace": trace, "tests": testRun,
}

// pen writes lines with random but repeatable choices.
type pen struct {
	out *strings.Builder
	rnd *rand.Rand
}

// write runs the template that a line of the story names.
func write(kind, word string, n int) (string, error) {
	make, ok := templates[kind]
	if !ok {
		return "", fmt.Errorf("template %q is unknown", kind)
	}
	seed := fnv.New64a()
	fmt.Fprint(seed, kind, word, n)
	p := pen{&strings.Builder{}, rand.New(rand.NewPCG(seed.Sum64(), 1))}
	make(p, word, n)
	return strings.TrimSuffix(p.out.String(), "\n"), nil
}

func (p pen) line(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }

func pick[T any](p pen, from []T) T { return from[p.rnd.IntN(len(from))] }

var (
	things  = []string{"invoice", "order", "event", "customer", "mail", "payment", "job", "lease", "address", "currency", "total", "receipt", "refund", "tax", "page", "font", "line", "cell"}
	verbs   = []string{"load", "store", "find", "render", "claim", "send", "check", "retry", "parse", "format", "measure", "release", "count", "merge"}
	folders = []string{"invoices", "webhooks", "queue", "mail", "pdf", "db", "config", "metrics", "http", "customers"}
	types   = []string{"string", "number", "boolean", "Date", "Money", "OrderId", "EventId", "string | null", "readonly string[]"}
)

func (p pen) name() string {
	thing := pick(p, things)
	return pick(p, verbs) + strings.ToUpper(thing[:1]) + thing[1:]
}

func (p pen) hex(n int) string {
	const digits = "0123456789abcdef"
	text := make([]byte, n)
	for i := range text {
		text[i] = digits[p.rnd.IntN(16)]
	}
	return string(text)
}

func (p pen) file() string {
	return fmt.Sprintf("src/%s/%s.ts", pick(p, folders), pick(p, things))
}

func (p pen) clock() string {
	return fmt.Sprintf("2026-03-02T%02d:%02d:%02d.%03dZ", 8+p.rnd.IntN(3), p.rnd.IntN(60), p.rnd.IntN(60), p.rnd.IntN(1000))
}

func (p pen) order() string { return fmt.Sprintf("ord_%d", 57_000+p.rnd.IntN(3000)) }

func tree(p pen, _ string, n int) {
	for range n / 3 {
		p.line("%s %s the %s in %s", p.hex(7), pick(p, []string{"Fix", "Add", "Rename", "Move", "Test", "Speed up"}), pick(p, things), pick(p, folders))
	}
	for _, folder := range folders {
		p.line("\nsrc/%s:", folder)
		for range n / 20 {
			p.line("%s.ts  %s.test.ts", pick(p, things), pick(p, things))
		}
	}
}

func source(p pen, word string, n int) {
	p.line("// %s", word)
	for range 6 {
		p.line("import { %s, %s } from '../%s/%s';", p.name(), p.name(), pick(p, folders), pick(p, things))
	}
	for lines := 8; lines < n; lines += 17 {
		thing, fn := pick(p, things), p.name()
		p.line("\nexport interface %sOptions {", strings.ToUpper(thing[:1])+thing[1:])
		for range 3 {
			p.line("  %s: %s;", pick(p, things)+pick(p, []string{"Id", "At", "Count", "Name"}), pick(p, types))
		}
		p.line("}\n\n/** %s the %s; gives null when another worker holds its lease. */", pick(p, verbs), thing)
		p.line("export async function %s(ctx: Context, %s: %s, options: Options = {}) {", fn, thing, pick(p, types))
		p.line("  const started = ctx.clock.now();")
		p.line("  const rows = await ctx.db.query(select%s, [%s, options.limit ?? %d]);", strings.ToUpper(fn[:1])+fn[1:], thing, 10*p.rnd.IntN(50))
		p.line("  if (rows.length === %d) {", p.rnd.IntN(3))
		p.line("    ctx.log.info({ %s, waited: ctx.clock.now() - started }, '%s has no %s yet');", thing, fn, pick(p, things))
		p.line("    return null;\n  }")
		p.line("  for (const row of rows) await %s(ctx, row.%s_id, { attempt: row.attempt + 1 });", p.name(), thing)
		p.line("  return rows.map((row) => ({ ...row, %s: to%s(row.%s) }));\n}", thing, pick(p, []string{"Money", "Date", "Text"}), pick(p, things))
	}
}

func spec(p pen, word string, n int) {
	p.line("import { describe, expect, test, vi } from 'vitest';\nimport { start } from '../helpers/server';\n\ndescribe('%s', () => {", word)
	for lines := 4; lines < n; lines += 9 {
		thing := pick(p, things)
		p.line("  test('%s a %s that was %s before', async () => {", pick(p, verbs), thing, pick(p, []string{"claimed", "mailed", "paid", "refunded", "rendered"}))
		p.line("    const server = await start({ mailDelayMs: %d, leaseMs: %d });", p.rnd.IntN(40)*100, p.rnd.IntN(60)*1000)
		p.line("    const %s = server.fixture('%s-%d');", thing, thing, p.rnd.IntN(90))
		p.line("    await server.deliver(%s);\n    await vi.advanceTimersByTimeAsync(%d);", thing, p.rnd.IntN(60)*500)
		p.line("    expect(server.mailbox.sent(%s.id)).toHaveLength(%d);", thing, p.rnd.IntN(3))
		p.line("    expect(server.log.lines).toContainEqual(expect.objectContaining({ msg: '%s' }));\n  });\n", p.name())
	}
	p.line("});")
}

func grep(p pen, word string, n int) {
	for range n {
		p.line("%s:%d:%*s%s(%s, %s.%s, { %s });", p.file(), 1+p.rnd.IntN(300), 2+2*p.rnd.IntN(3), "", word, pick(p, things), pick(p, things), pick(p, things), pick(p, things))
	}
}

func logLines(p pen, word string, n int) {
	for range n {
		p.line(`{"time":"%s","level":"%s","msg":"%s","orderId":"%s","eventId":"evt_%s","attempt":%d,"ms":%d,"host":"orders-%d"}`,
			p.clock(), pick(p, []string{"info", "info", "info", "warn", "error"}), pick(p, []string{word, word, p.name(), "mail.sent", "lease.taken"}), p.order(), p.hex(12), 1+p.rnd.IntN(3), p.rnd.IntN(45_000), 1+p.rnd.IntN(6))
	}
}

func jsonText(p pen, word string, n int) {
	p.line("{\n  \"name\": \"%s\",\n  \"items\": [", word)
	for range n {
		p.line(`    { "id": "%s", "%s": "%s", "width": %d.%d, "height": %d, "fallback": %v, "glyphs": [%d, %d, %d] },`,
			p.hex(8), pick(p, things), pick(p, folders), p.rnd.IntN(500), p.rnd.IntN(100), p.rnd.IntN(80), p.rnd.IntN(2) == 0, p.rnd.IntN(9000), p.rnd.IntN(9000), p.rnd.IntN(9000))
	}
	p.line("    null\n  ]\n}")
}

func sqlText(p pen, word string, n int) {
	p.line("-- %s", word)
	for lines := 1; lines < n; lines += 8 {
		table := pick(p, things) + "_" + pick(p, []string{"events", "mails", "leases", "pages"})
		p.line("CREATE TABLE IF NOT EXISTS %s (\n  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,", table)
		for range 4 {
			p.line("  %s_%s %s,", pick(p, things), pick(p, []string{"id", "at", "count"}), pick(p, []string{"text NOT NULL", "timestamptz", "integer DEFAULT 0", "jsonb"}))
		}
		p.line("  created_at timestamptz NOT NULL DEFAULT now()\n);")
	}
}

func rows(p pen, word string, n int) {
	companies := []string{"山田製作所株式会社", "有限会社さくら商事", "東京電機工業", "Nordlicht GmbH", "Harbour & Sons", "北海道水産", "上海光明贸易有限公司"}
	p.line(" %s_id | order_id | company | event_id | attempt | waited_ms | state ", word)
	p.line("----+----------+---------+----------+---------+-----------+-------")
	for i := range n {
		p.line(" %d | %s | %s | evt_%s | %d | %d | %s", 1000+i, p.order(), pick(p, companies), p.hex(12), 1+p.rnd.IntN(3), p.rnd.IntN(900), pick(p, []string{"done", "waiting", "leased"}))
	}
	p.line("(%d rows)", n)
}

func diff(p pen, word string, n int) {
	for lines := 0; lines < n; lines += 10 {
		file := p.file()
		p.line("diff --git a/%s b/%s\nindex %s..%s 100644\n@@ -%d,6 +%d,7 @@ %s", file, file, p.hex(7), p.hex(7), lines+3, lines+3, word)
		for range 3 {
			p.line("   const %s = await %s(ctx, %s);", pick(p, things), p.name(), pick(p, things))
			p.line("%s  %s.%s(%s, { %s: %d });", pick(p, []string{"-", "+"}), pick(p, things), p.name(), pick(p, things), pick(p, things), p.rnd.IntN(400))
		}
	}
}

func profile(p pen, _ string, n int) {
	p.line("  self ms   total ms   function")
	for range n {
		p.line("%9.1f  %9.1f   %s  %s:%d:%d", float64(p.rnd.IntN(9000))/10, float64(p.rnd.IntN(60_000))/10, p.name(), p.file(), 1+p.rnd.IntN(300), 1+p.rnd.IntN(60))
	}
}

func typeErrors(p pen, _ string, n int) {
	for range n {
		p.line("%s(%d,%d): error TS2345: Argument of type '{ %s: %s; }' is not assignable to parameter of type 'Job'.", p.file(), 1+p.rnd.IntN(200), 1+p.rnd.IntN(40), pick(p, things), pick(p, types))
	}
	p.line("Found %d errors.", n)
}

func trace(p pen, _ string, n int) {
	p.line(" FAIL  test/webhooks/twice.test.ts > an event delivered twice sends one mail\nAssertionError: expected [ Array(2) ] to have a length of 1 but got 2")
	for range n {
		p.line("    at %s (/srv/orders-service/%s:%d:%d)", p.name(), p.file(), 1+p.rnd.IntN(300), 1+p.rnd.IntN(60))
	}
}

func testRun(p pen, word string, passed int) {
	failed := 0
	fmt.Sscanf(word, "%d-failed", &failed)
	for i := range passed + failed {
		sign, more := "✓", ""
		if i < failed {
			sign, more = "✗", "\n     → expected 1 to be 2 // Object.is equality"
		}
		p.line(" %s test/%s/%s.test.ts > %s a %s %d ms%s", sign, pick(p, folders), pick(p, things), pick(p, verbs), pick(p, things), p.rnd.IntN(400), more)
	}
	p.line(" Tests  %d failed | %d passed (%d)", failed, passed, passed+failed)
}

func prose(p pen, language string, n int) {
	sentences := map[string][]string{
		"en": {
			"A delivery is acknowledged within ten seconds; what takes longer belongs into the queue.",
			"The worker holds a lease of sixty seconds on a job and renews it while it works.",
			"Invoices are rendered once and kept for ten years; a copy is made from the stored file.",
			"When the mail server is slow, deliveries pile up; watch the panel of waiting jobs first.",
			"Amounts are kept in the smallest unit of their currency and never as floating point.",
		},
		"zh": {
			"发票的页面宽度为一百八十毫米，左右各留十五毫米的边距。",
			"公司名称使用客户登记的原文，不得转换为拼音或缩写。",
			"中文与日文按字换行，标点符号不得出现在行首。",
			"字体按顺序选择：先用品牌字体，缺少字形时改用思源黑体。",
			"金额靠右对齐，小数点后保留两位，日元不保留小数。",
			"重复投递的事件只处理一次，其余的直接返回成功。",
		},
		"ja": {
			"請求書の宛名には、登記された会社名をそのまま記載します。",
			"住所は郵便番号、都道府県、市区町村の順に改行します。",
			"書体に字形がない場合は、次の候補の書体を使います。",
			"句読点は行頭に置かず、前の行の末尾にぶら下げます。",
			"金額は三桁ごとに区切り、円未満は切り捨てます。",
		},
	}[language]
	for i := range n {
		if i%6 == 0 {
			p.line("\n## %d", i/6+1)
		}
		for range 4 {
			p.out.WriteString(pick(p, sentences))
			if language == "en" {
				p.out.WriteString(" ")
			}
		}
		p.line("")
	}
}
