package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// ConfigProblem is something in a configuration that was not taken.
type ConfigProblem struct {
	Line   int    // from 1
	Reason string // a sentence without the line number
}

// configUnused are keys that hosts know and no rule here reads.
var configUnused = []string{"absorb", "crush", "imageCompression", "ccr", "rules", "messageFilters"}

// ParseConfig lays the settings in data, a JSON object under the kernel's own
// key names, over base. The groups tiers, nudge, truncate and compress are
// laid over key by key, any other key replaces; lists are replaced. Null
// takes an optional setting back. What cannot be taken is named with its line,
// in file order, and the rest applies. The op of a recording's first line is
// passed over. Data that is no JSON object changes nothing.
func ParseConfig(data []byte, base Config) (Config, []ConfigProblem) {
	p := configParser{data: data}
	if offset, err := p.check(); err != nil {
		p.problem(offset, err.Error())
		return base, p.problems
	}
	config := base
	p.object(data, 0, "", reflect.ValueOf(&config).Elem())
	return config, p.problems
}

type configParser struct {
	data     []byte
	problems []ConfigProblem
	counted  int // bytes in which the line feeds are counted
	feeds    int
}

// problem names what stands at an offset, no earlier than the problem before.
func (p *configParser) problem(offset int, reason string) {
	if to := min(offset, len(p.data)); to > p.counted {
		p.feeds += bytes.Count(p.data[p.counted:to], []byte("\n"))
		p.counted = to
	}
	p.problems = append(p.problems, ConfigProblem{Line: 1 + p.feeds, Reason: reason})
}

// check finds what keeps the data from being one JSON object, and where.
func (p *configParser) check() (offset int, err error) {
	blank := len(p.data) - len(bytes.TrimLeft(p.data, " \t\r\n"))
	if blank == len(p.data) {
		return blank, errors.New("the configuration is empty, want a JSON object")
	}
	var value json.RawMessage
	if err := json.Unmarshal(p.data, &value); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			offset = int(syntax.Offset) // behind the wrong byte
		}
		if offset < len(p.data) {
			offset = max(0, offset-1)
		}
		return offset, fmt.Errorf("the configuration is not JSON: %w", err)
	}
	if value[0] != '{' {
		return blank, errors.New("the configuration is not a JSON object")
	}
	return 0, nil
}

// object takes the settings of an object into the fields of target. The
// object starts at offset within the whole; path names it.
func (p *configParser) object(data []byte, offset int, path string, target reflect.Value) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	_, _ = decoder.Token()
	for decoder.More() {
		token, _ := decoder.Token()
		key, _ := token.(string)
		at := offset + int(decoder.InputOffset()) - 1 // the key's last byte
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return
		}
		start := offset + int(decoder.InputOffset()) - len(value)
		p.setting(key, path, at, value, start, target)
	}
}

func (p *configParser) setting(key, path string, at int, value json.RawMessage, start int, target reflect.Value) {
	name := path + key
	field, ok := configField(target, key)
	switch {
	case !ok && path == "" && slices.Contains(configUnused, key):
		p.problem(at, fmt.Sprintf("%s is not used by ctxscope", name))
	case !ok && path == "" && key == "op":
	case !ok:
		p.problem(at, fmt.Sprintf("unknown key %q%s", name, configHome(key, path)))
	case value[0] == '{' && field.Kind() == reflect.Struct:
		p.object(value, start, name+".", field)
	case value[0] == '{' && field.Type() == reflect.TypeFor[*TierGrowthTokens]():
		field.Set(reflect.ValueOf(&TierGrowthTokens{}))
		p.object(value, start, name+".", field.Elem())
	default:
		if reason := setConfig(field, value); reason != "" {
			p.problem(at, name+" "+reason)
		}
	}
}

// configField is the field of a struct that a key names.
func configField(target reflect.Value, key string) (reflect.Value, bool) {
	for i := range target.NumField() {
		name, _, _ := strings.Cut(target.Type().Field(i).Tag.Get("json"), ",")
		if name == key {
			return target.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// configHome says where an unknown key would have been known.
func configHome(key, path string) string {
	config := reflect.ValueOf(Config{})
	if _, ok := configField(config, key); ok && path != "" {
		return ", it stands outside of the groups"
	}
	for i := range config.NumField() {
		group, _, _ := strings.Cut(config.Type().Field(i).Tag.Get("json"), ",")
		if config.Field(i).Kind() != reflect.Struct || group+"." == path {
			continue
		}
		if _, ok := configField(config.Field(i), key); ok {
			return fmt.Sprintf(", it belongs into %q", group)
		}
	}
	return ""
}

// setConfig puts a value into a field, or says why it does not fit. A pointer
// gets a value of its own, so that configurations share none.
func setConfig(field reflect.Value, data json.RawMessage) (reason string) {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return "is out of range"
	}
	if field.Kind() == reflect.Pointer {
		if value == nil {
			field.SetZero()
			return ""
		}
		fresh := reflect.New(field.Type().Elem())
		if reason := setConfig(fresh.Elem(), data); reason != "" {
			return reason
		}
		field.Set(fresh)
		return ""
	}
	want := configWant(field)
	switch v := value.(type) {
	case bool:
		if field.Kind() == reflect.Bool {
			field.SetBool(v)
			return ""
		}
	case string:
		isUnit := field.Type() == reflect.TypeFor[GateUnit]()
		if isUnit && v != string(GateChars) && v != string(GateTokens) {
			return fmt.Sprintf("is %q, want %s", v, want)
		}
		if field.Kind() == reflect.String {
			field.SetString(v)
			return ""
		}
	case float64:
		return setConfigNumber(field, v, want)
	case []any:
		if field.Kind() == reflect.Slice {
			list, ok := stringsOf(v)
			if !ok {
				return "holds something that is not a string, want " + want
			}
			field.Set(reflect.ValueOf(list))
			return ""
		}
	}
	return fmt.Sprintf("is %s, want %s", jsonKind(value), want)
}

func setConfigNumber(field reflect.Value, x float64, want string) (reason string) {
	switch {
	case field.Kind() == reflect.Float64:
		field.SetFloat(x)
	case !field.CanInt():
		return "is a number, want " + want
	case x != math.Trunc(x):
		return fmt.Sprintf("is %s, want %s", num(x), want)
	case math.Abs(x) > 1<<53:
		return "is out of range"
	default:
		field.SetInt(int64(x))
	}
	return ""
}

func stringsOf(items []any) ([]string, bool) {
	list := make([]string, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// configWant says what a field takes.
func configWant(field reflect.Value) string {
	switch {
	case field.Type() == reflect.TypeFor[GateUnit]():
		return `"chars" or "tokens"`
	case field.Kind() == reflect.Bool:
		return "true or false"
	case field.Kind() == reflect.String:
		return "a string"
	case field.Kind() == reflect.Float64:
		return "a number"
	case field.CanInt():
		return "a whole number"
	case field.Kind() == reflect.Slice:
		return "a list of strings"
	}
	return "an object"
}

// jsonKind names the kind of a decoded JSON value for people.
func jsonKind(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a string"
	case float64:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
