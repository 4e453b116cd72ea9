package measure

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"

	"github.com/dustin/go-humanize"
)

//go:embed bench.svg.tmpl
var svgText string

//go:embed bench.html.tmpl
var htmlText string

var pictures = template.Must(template.Must(template.New("svg").Parse(svgText)).New("html").Parse(htmlText))

// WriteSVG draws a pair of bars for each program: retains and releases as it was and after the passes. The picture needs nothing from
// outside.
func WriteSVG(w io.Writer, all []*Comparison) error {
	return pictures.ExecuteTemplate(w, "svg", newPicture(all))
}

// WriteHTML writes one page with the picture and a table for each program.
func WriteHTML(w io.Writer, all []*Comparison) error {
	return pictures.ExecuteTemplate(w, "html", newPicture(all))
}

// picture is laid out in pixels.
type picture struct {
	Width, Height int
	Groups        []group
	Tables        []Table
}

type group struct {
	Name  string
	Y     int
	Bars  []bar
	Ratio string
}

// bar is two parts next to one another: retains, then releases.
type bar struct {
	Y, Retains, Releases int
	X                    int // where the releases begin
	End                  int // where the label stands
	Label                string
	Title                string
	Class                string
}

// Table is a comparison in words.
type Table struct {
	Name   string
	Rows   []Row // by metric
	Stages []Row // retains and releases by pass, in the order of the pipeline
}

// Row is one row of it: numbers and their ratio. Less is how much less there is afterwards.
type Row struct {
	Label, Before, After, Ratio string
	Less                        int64
}

// Measures of the picture in pixels.
const (
	barLeft   = 220
	barMost   = 560
	barHeight = 14
	groupStep = 54
)

func newPicture(all []*Comparison) *picture {
	rc := Metrics[0]
	most := uint64(1)
	for _, c := range all {
		most = max(most, rc.Of(c.Before.Outcome), rc.Of(c.After.Outcome))
	}
	p := &picture{Width: barLeft + barMost + 140, Height: 30 + groupStep*len(all)}
	for n, c := range all {
		y := 30 + n*groupStep
		p.Groups = append(p.Groups, group{Name: c.Name, Y: y + barHeight, Ratio: RatioText(c.Ratio(rc)),
			Bars: []bar{newBar(c.Before.Outcome, y, most, "before"), newBar(c.After.Outcome, y+barHeight+3, most, "after")}})
		p.Tables = append(p.Tables, NewTable(c))
	}
	return p
}

func newBar(o *Outcome, y int, most uint64, class string) bar {
	scale := func(n uint64) int { return int(float64(n) / float64(most) * barMost) }
	retains, releases := scale(o.Counts.StrongRetain), scale(o.Counts.StrongRelease)
	sum := humanize.Comma(int64(o.Counts.StrongRetain + o.Counts.StrongRelease))
	return bar{Y: y, Retains: retains, Releases: releases, X: barLeft + retains, End: barLeft + retains + releases + 6, Label: sum, Class: class,
		Title: fmt.Sprintf("%s: %s retains, %s releases", class, humanize.Comma(int64(o.Counts.StrongRetain)), humanize.Comma(int64(o.Counts.StrongRelease)))}
}

// RatioText words a ratio: "0.50", and "new" where there was nothing before.
func RatioText(r float64) string {
	if math.IsInf(r, 1) {
		return "new"
	}
	return fmt.Sprintf("%.2f", r)
}

// NewTable words a comparison.
func NewTable(c *Comparison) Table {
	t := Table{Name: c.Name}
	for _, m := range Metrics {
		before, after := m.Of(c.Before.Outcome), m.Of(c.After.Outcome)
		if m.Bench && (before > 0 || after > 0) {
			t.Rows = append(t.Rows, Row{m.Label, words(m, before), words(m, after), RatioText(c.Ratio(m)), int64(before) - int64(after)})
		}
	}
	rc, last := Metrics[0], Metrics[0].Of(c.Before.Outcome)
	for _, s := range c.Stages {
		now := rc.Of(s.Outcome)
		t.Stages = append(t.Stages, Row{s.Pass, words(rc, last), words(rc, now), RatioText(ratio(float64(last), float64(now))), int64(last) - int64(now)})
		last = now
	}
	return t
}

func words(m Metric, n uint64) string {
	if m.Bytes {
		return humanize.IBytes(n)
	}
	return humanize.Comma(int64(n))
}
