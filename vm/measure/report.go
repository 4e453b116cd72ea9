package measure

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
)

// Report is what one page says about a program. Comparison and Traffic must be of the same program.
type Report struct {
	Title      string
	Comparison *Comparison
	Traffic    *Traffic
	Place      func(s *Site) string // words where a site is
	Graph      string               // the heap at exit as SVG, "" for none
	Findings   []string             // as run says them
}

//go:embed report.html.tmpl
var reportText string

var reportPage = template.Must(template.Must(pictures.Clone()).New("report").Parse(reportText))

// reportData is the page as the template wants it.
type reportData struct {
	Title    string
	Findings []string
	Picture  *picture
	Table    table
	Live     chart
	Traffic  chart
	Peak     []countRow
	Sites    []siteRow
	Classes  []siteRow
	Waste    []wasteRow
	Graph    template.HTML
}

type countRow struct {
	Name  string
	Count string
}

type siteRow struct{ Name, Place, Retains, Releases, Allocs string }

type wasteRow struct{ Count, Func, Retain, Release string }

// chart is a line over the steps of a run.
type chart struct {
	Lines  []chartLine
	Top    string // the greatest value
	Right  string // the last step
	Points int
}

type chartLine struct{ Name, Points, Class string }

// Measures of a chart in pixels.
const (
	chartWidth  = 860
	chartHeight = 160
)

// mostRows is how many rows the tables of a page have.
const mostRows = 25

// WriteHTML writes the page. It needs nothing from outside.
func (r *Report) WriteHTML(w io.Writer) error {
	d := &reportData{Title: r.Title, Findings: r.Findings, Picture: newPicture([]*Comparison{r.Comparison}), Table: newTable(r.Comparison),
		Graph: template.HTML(r.Graph)} // made by package debugger, which escapes every name
	d.Live = newChart(r.Traffic.Moments, []string{"live objects"}, func(m Moment) []uint64 { return []uint64{uint64(max(m.Live, 0))} })
	d.Traffic = newChart(r.Traffic.Moments, []string{"retains", "releases"}, func(m Moment) []uint64 { return []uint64{m.Retains, m.Releases} })
	for _, name := range slices.Sorted(maps.Keys(r.Traffic.Peak)) {
		if n := r.Traffic.Peak[name]; n > 0 {
			d.Peak = append(d.Peak, countRow{name, humanize.Comma(int64(n))})
		}
	}
	for _, s := range r.Traffic.Sites[:min(mostRows, len(r.Traffic.Sites))] {
		text := "(runtime)"
		if s.Inst != nil {
			text = s.Inst.String()
		}
		d.Sites = append(d.Sites, newSiteRow(text+" in "+s.Func, r.Place(s), &s.Count))
	}
	classes := r.Traffic.Classes()
	for n := range classes[:min(mostRows, len(classes))] {
		d.Classes = append(d.Classes, newSiteRow(classes[n].Name, "", &classes[n].Count))
	}
	for _, p := range r.Traffic.Waste[:min(mostRows, len(r.Traffic.Waste))] {
		d.Waste = append(d.Waste, wasteRow{humanize.Comma(int64(p.Count)), p.Retain.Func, r.Place(p.Retain), r.Place(p.Release)})
	}
	return reportPage.ExecuteTemplate(w, "report", d)
}

func newSiteRow(name, place string, o *Ops) siteRow {
	return siteRow{name, place, humanize.Comma(int64(o.Retains)), humanize.Comma(int64(o.Releases)), humanize.Comma(int64(o.Allocs))}
}

// newChart draws values over the steps.
func newChart(moments []Moment, names []string, values func(Moment) []uint64) chart {
	c := chart{Points: len(moments)}
	if len(moments) == 0 {
		return c
	}
	top, right := uint64(1), max(moments[len(moments)-1].Step, 1)
	for _, m := range moments {
		top = max(top, slices.Max(values(m)))
	}
	c.Top, c.Right = humanize.Comma(int64(top)), humanize.Comma(int64(right))
	for n, name := range names {
		var b strings.Builder
		for _, m := range moments {
			x := float64(m.Step) / float64(right) * chartWidth
			y := chartHeight - float64(values(m)[n])/float64(top)*chartHeight
			fmt.Fprintf(&b, "%.1f,%.1f ", x, y)
		}
		c.Lines = append(c.Lines, chartLine{name, b.String(), fmt.Sprintf("line%d", n)})
	}
	return c
}
