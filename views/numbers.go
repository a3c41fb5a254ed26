package views

import (
	"math"
	"strconv"
	"strings"

	"ctxscope/kernel"
)

const unknown = "unknown"

// number writes a count with commas: 21,400.
func number[N ~int | ~int64 | ~float64](n N) string {
	return strings.Replace(kernel.Commas(strconv.FormatInt(int64(n), 10)), "-", "−", 1)
}

// counter names what counted the texts.
func counter(s *Screen) string {
	if s.Session.Counter == "" {
		return "estimate"
	}
	return s.Session.Counter
}

// Number is number for what is written outside of this package: the facts of
// a Reader.
func Number[N ~int | ~int64 | ~float64](n N) string { return number(n) }

// short writes a count for a narrow place: from 10,000 on in thousands or
// millions with one decimal.
func short[N ~int | ~int64 | ~float64](n N) string {
	switch {
	case n >= 9_995_000:
		return tenths(float64(n)/1e6) + "M"
	case n >= 10_000:
		return tenths(float64(n)/1e3) + "K"
	}
	return number(n)
}

func tenths(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// amount writes a number that may be a fraction: whole with commas, else with
// one decimal.
func amount(x float64) string {
	if math.Abs(x) > 1e15 || math.IsNaN(x) {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	if x == math.Trunc(x) {
		return number(int64(x))
	}
	whole := math.Trunc(x)
	tenth := int64(math.Round(math.Abs(x-whole) * 10))
	if tenth == 10 {
		whole, tenth = whole+math.Copysign(1, x), 0
	}
	sign := ""
	if x < 0 && whole == 0 {
		sign = "−"
	}
	return sign + number(int64(whole)) + "." + strconv.FormatInt(tenth, 10)
}

// percent writes a share of 1 as whole percents, halves up, as the kernel's
// reasons do; a small one with a decimal, so that little is not nothing.
func percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return unknown
	}
	if small := math.Abs(share); small > 0 && small < 0.0995 {
		return strconv.FormatFloat(share*100, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(math.Floor(share*100+0.5), 'f', 0, 64) + " %"
}

// plural writes a count with its noun: 1 batch, 4 batches.
func plural[N ~int | ~int64 | ~float64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// fileSize writes a size: 812 bytes, 12.4 MB.
func fileSize(n int64) string {
	switch {
	case n >= 1e9:
		return strconv.FormatFloat(float64(n)/1e9, 'f', 1, 64) + " GB"
	case n >= 1e6:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	case n >= 1e4:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 0, 64) + " KB"
	}
	return plural(n, "byte", "bytes")
}

// ago writes how long before now the moment t was, both in milliseconds; it is
// empty when one of them is unknown.
func ago(now, t int64) string {
	if now == 0 || t == 0 {
		return ""
	}
	s := max(0, (now-t)/1000)
	switch {
	case s < 60:
		return number(s) + " s ago"
	case s < 3600:
		return number(s/60) + " min ago"
	case s < 48*3600:
		return number(s/3600) + " h ago"
	}
	return number(s/86400) + " days ago"
}
