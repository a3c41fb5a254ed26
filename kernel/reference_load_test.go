package kernel

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A referenceFile is one file of decisions recorded from the reference.
type referenceFile struct {
	name  string // without its folder
	suite string
	cases []referenceCase
}

// A referenceCase is one recorded decision, its long strings written out.
type referenceCase struct {
	Name     string          `json:"name"`
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
}

// readReferenceFolder reads every file of a folder, in the order of their
// names. Pages of text (.md) are passed over; anything else that is no file of
// decisions is an error.
func readReferenceFolder(folder string) ([]referenceFile, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []referenceFile
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".md") {
			continue
		}
		data, err := readPacked(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		file, err := parseReferenceFile(entry.Name(), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", entry.Name(), err)
		}
		files = append(files, file)
	}
	return files, nil
}

// readPacked reads NAME.json, or NAME.json.gz unpacked.
func readPacked(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.HasSuffix(path, ".json"), strings.HasSuffix(path, ".jsonl"):
		return data, nil
	case strings.HasSuffix(path, ".gz"):
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", path, err)
		}
		return io.ReadAll(unpacked)
	}
	return nil, fmt.Errorf("%s is no .json, .json.gz or .md file", path)
}

// parseReferenceFile reads one file: a suite with cases, or the worked nudge
// decisions, which have a form of their own.
func parseReferenceFile(name string, data []byte) (referenceFile, error) {
	var file struct {
		Suite   string          `json:"suite"`
		Format  int             `json:"format"`
		Cases   []referenceCase `json:"cases"`
		About   string          `json:"about"`
		Vectors []workedNudge   `json:"vectors"`
	}
	if err := decodeStrict(data, &file); err != nil {
		return referenceFile{}, err
	}
	if file.Vectors != nil {
		cases, err := workedNudgeCases(file.Vectors)
		return referenceFile{name: name, suite: "worked-nudge", cases: cases}, err
	}
	if file.Format != 1 {
		return referenceFile{}, fmt.Errorf("format is %d, want 1", file.Format)
	}
	for i := range file.Cases {
		c := &file.Cases[i]
		var err error
		if c.Input, err = expandParts(c.Input); err != nil {
			return referenceFile{}, fmt.Errorf("case %q: input: %w", c.Name, err)
		}
		if c.Expected, err = expandParts(c.Expected); err != nil {
			return referenceFile{}, fmt.Errorf("case %q: expected: %w", c.Name, err)
		}
	}
	return referenceFile{name: name, suite: file.Suite, cases: file.Cases}, nil
}

// expandParts writes out long strings: KEYParts, a list of [unit, times],
// becomes KEY, every unit repeated that often. A flag of a block that is false
// is left out, as a flag that was never set.
func expandParts(data json.RawMessage) (json.RawMessage, error) {
	if len(data) == 0 {
		return nil, errors.New("nothing given")
	}
	value, err := decodeAny(data)
	if err != nil {
		return nil, err
	}
	if err := expandIn(value); err != nil {
		return nil, err
	}
	return encodePlain(value)
}

func expandIn(value any) error {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if err := expandIn(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range []string{"text", "summary"} {
			if err := expandKey(value, key); err != nil {
				return err
			}
		}
		for _, flag := range []string{"restoredInline", "expanded"} {
			if value[flag] == false {
				delete(value, flag)
			}
		}
		for _, item := range value {
			if err := expandIn(item); err != nil {
				return err
			}
		}
	}
	return nil
}

func expandKey(object map[string]any, key string) error {
	parts, ok := object[key+"Parts"]
	if !ok {
		return nil
	}
	if _, both := object[key]; both {
		return fmt.Errorf("both %s and %sParts are given", key, key)
	}
	data, err := encodePlain(parts)
	if err != nil {
		return err
	}
	text, err := joinParts(data)
	if err != nil {
		return fmt.Errorf("%sParts: %w", key, err)
	}
	delete(object, key+"Parts")
	object[key] = text
	return nil
}

func joinParts(data json.RawMessage) (string, error) {
	var parts [][]json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, part := range parts {
		var unit string
		var times int
		if len(part) != 2 {
			return "", fmt.Errorf("a part has %d items, want a unit and a number", len(part))
		}
		if err := errors.Join(json.Unmarshal(part[0], &unit), json.Unmarshal(part[1], &times)); err != nil {
			return "", err
		}
		text.WriteString(strings.Repeat(unit, times))
	}
	return text.String(), nil
}

// decodeStrict reads one JSON value into target; an unknown key or anything
// behind the value is an error.
func decodeStrict(data []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something stands behind the value")
	}
	return nil
}

// decodeAny reads one JSON value; numbers keep their digits.
func decodeAny(data []byte) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	return value, err
}

// encodePlain writes compact JSON without escapes for HTML.
func encodePlain(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// asJSON is value as JSON text, for comparing and for showing.
func asJSON(value any) string {
	data, err := encodePlain(value)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// furtherFolder is the folder that an environment variable names, made
// absolute from the module root; empty when it is not set.
func furtherFolder(variable string) string {
	folder := os.Getenv(variable)
	if folder == "" || filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join("..", folder)
}
