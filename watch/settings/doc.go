// Package settings says with which configuration and window a session is
// judged, and where each of them comes from.
package settings
