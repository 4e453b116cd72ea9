package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"silvm/ir/op"
)

// version returns what --version prints: the build, and the releases of Swift whose text silvm reads.
func version() string {
	build := "(built without version control)"
	if info, ok := debug.ReadBuildInfo(); ok {
		build = buildVersion(info)
	}
	var swift []string
	for _, v := range op.Versions() {
		swift = append(swift, v.String())
	}
	return fmt.Sprintf("silvm %s %s/%s\nreads the SIL of Swift %s", build, runtime.GOOS, runtime.GOARCH, strings.Join(swift, " to "))
}

// buildVersion words where a binary comes from: the version of the module, or the commit of a checkout.
func buildVersion(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return "(built without version control)"
	}
	text := "commit " + commit[:min(len(commit), 12)]
	if day, _, ok := strings.Cut(settings["vcs.time"], "T"); ok {
		text += " of " + day
	}
	if settings["vcs.modified"] == "true" {
		text += ", changed"
	}
	return text
}
