package headless

import (
	"ctxscope/watch/decode"
	"ctxscope/watch/settings"
)

// choice is what the person chose, with the settings of the session's own host
// under it, where hosts are looked for.
func (o Options) choice(s decode.Session) settings.Choice {
	c := o.Choice
	if o.Hosts != nil && o.File != "-" && !s.Recording {
		c.Host = settings.Hosts{Home: o.Hosts.Home, Getenv: o.Hosts.Getenv}.Layers(s)
	}
	return c
}
