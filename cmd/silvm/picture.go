package main

import (
	"os"

	"silvm/vm/measure"
)

// writePictures writes the pictures and pages that bench was asked for.
func (a *app) writePictures(all []*measure.Comparison, b *benchFlags) error {
	for _, out := range []struct {
		name  string
		write func(f *os.File) error
	}{
		{b.svg, func(f *os.File) error { return measure.WriteSVG(f, all) }},
		{b.html, func(f *os.File) error { return measure.WriteHTML(f, all) }},
	} {
		if out.name == "" {
			continue
		}
		f, err := os.Create(out.name)
		if err != nil {
			return failf(exitNoInput, "%v", err)
		}
		if err := out.write(f); err != nil {
			f.Close()
			return failf(exitNoInput, "%s: %v", out.name, err)
		}
		if err := f.Close(); err != nil {
			return failf(exitNoInput, "%v", err)
		}
	}
	return nil
}
