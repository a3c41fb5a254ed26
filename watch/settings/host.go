package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"ctxscope/watch/decode"
)

// Layer is a file in which a host keeps its own settings.
type Layer struct {
	File   string // for people: with ~ for the home folder
	Config []byte // the settings as standard JSON, each on the line that it has in the file
	Wrong  string // why the file cannot be used, a sentence; then Config is nil
}

// Hosts finds the settings of the agents' compression plugins on a machine.
type Hosts struct {
	Home   string                  // the person's home folder
	Getenv func(key string) string // an environment variable, empty when unset
}

// pluginFiles are the names that a compression plugin's own file may have.
var pluginFiles = []string{"acp.jsonc", "acp.json"}

// hostKey is the member of an agent's general settings that belongs to the
// compression plugin.
const hostKey = "acp"

// largestLayer is more than any settings file holds, in bytes.
const largestLayer = 1 << 20

// Layers reads the settings that the host of a session has, the least specific
// first: those of the person, then those of the project. There are none where
// the session's agent is not known. It only reads regular files.
func (h Hosts) Layers(s decode.Session) []Layer {
	var layers []Layer
	for _, folder := range h.folders(s) {
		for _, name := range pluginFiles {
			layers = h.add(layers, filepath.Join(folder, name), false)
		}
		layers = h.add(layers, filepath.Join(folder, "settings.json"), true)
	}
	return layers
}

// folders are those in which the settings may lie.
func (h Hosts) folders(s decode.Session) []string {
	var folders []string
	project := func(name string) {
		if filepath.IsAbs(s.Folder) {
			folders = append(folders, filepath.Join(s.Folder, name))
		}
	}
	config := h.env("XDG_CONFIG_HOME", filepath.Join(h.Home, ".config"))
	switch s.Agent {
	case "pi":
		folders = append(folders, h.env("PI_CODING_AGENT_DIR", filepath.Join(h.Home, ".pi", "agent")))
		project(".pi")
	case "oh-my-pi":
		name := h.env("PI_CONFIG_DIR", ".omp")
		folders = append(folders, h.env("PI_CODING_AGENT_DIR", filepath.Join(h.Home, name, "agent")))
		project(".omp")
	case "opencode":
		folders = append(folders, filepath.Join(config, "opencode"))
		if set := h.env("OPENCODE_CONFIG_DIR", ""); set != "" {
			folders = append(folders, set)
		}
		project(".opencode")
	case "Claude Code", "Codex CLI", "Gemini CLI", "billion-context proxy":
		// These are compressed by the proxy between them and the provider.
		folders = append(folders, filepath.Join(config, "billion-context"))
	}
	return folders
}

func (h Hosts) env(key, other string) string {
	set := ""
	if h.Getenv != nil {
		set = h.Getenv(key)
	}
	if rest, ok := strings.CutPrefix(set, "~/"); ok {
		return filepath.Join(h.Home, rest)
	}
	if set == "" {
		return other
	}
	return set
}

// add reads one file, if it is there. Of general settings only what belongs to
// the plugin counts.
func (h Hosts) add(layers []Layer, path string, general bool) []Layer {
	data, err := readLayer(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFile) {
		return layers
	}
	l := Layer{File: path}
	if rest, err := filepath.Rel(h.Home, path); err == nil && !strings.HasPrefix(rest, "..") {
		l.File = "~/" + filepath.ToSlash(rest)
	}
	if err == nil && deep(data) {
		err = errors.New("it nests too deeply")
	}
	if err == nil { // a comment may end the file
		data, err = hujson.Standardize(append(data, '\n'))
	}
	switch {
	case err != nil && general:
		return layers // whether it says anything about the plugin is not known
	case err != nil:
		l.Wrong = "the host's settings cannot be read: " + err.Error()
	case general:
		if l.Config = member(data, hostKey); l.Config == nil {
			return layers
		}
	default:
		l.Config = data
	}
	return append(layers, l)
}

// errNoFile: there is something else where a file should be.
var errNoFile = errors.New("not a regular file")

func readLayer(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > largestLayer {
		return nil, errNoFile
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, largestLayer))
	return data, errors.Join(err, f.Close())
}

// member is the object that data, a JSON object, has under key, on the lines
// that it has there; nil when there is none.
func member(data []byte, key string) []byte {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil
		}
		if name == key && len(value) > 0 && value[0] == '{' {
			before := data[:int(decoder.InputOffset())-len(value)]
			return append(bytes.Repeat([]byte("\n"), bytes.Count(before, []byte("\n"))), value...)
		}
	}
	return nil
}
