package web_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestContrast: text is readable on every ground that it is on, by the measure of WCAG 2 for ordinary sizes, in light and dark.
func TestContrast(t *testing.T) {
	style, err := os.ReadFile(filepath.Join("assets", "style.css"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(style), ".tail") && regexp.MustCompile(`\.tail \{[^}]*opacity`).Match(style) {
		t.Error("the ends of lines are paler than their colour")
	}
	themes := regexp.MustCompile(`:root \{[^}]*\}`).FindAllString(string(style), -1)
	if len(themes) != 2 {
		t.Fatalf("%d themes", len(themes))
	}
	for _, theme := range themes {
		color := map[string]float64{}
		for _, m := range regexp.MustCompile(`--(\w+): #(\w+);`).FindAllStringSubmatch(theme, -1) {
			color[m[1]] = luminance(t, m[2])
		}
		for _, text := range []string{"text", "dim", "accent", "bad", "good"} {
			for _, ground := range []string{"back", "raised", "here"} {
				if text != "text" && text != "dim" && ground == "here" {
					continue // names are there, which are links
				}
				a, b := color[text]+.05, color[ground]+.05
				if ratio := max(a, b) / min(a, b); ratio < 4.5 {
					t.Errorf("%s on %s: %.2f in %.40s", text, ground, ratio, theme)
				}
			}
		}
	}
}

// luminance is the relative luminance of a colour: fff, 1b2330.
func luminance(t *testing.T, hex string) float64 {
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	var sum float64
	for n, weight := range []float64{.2126, .7152, .0722} {
		v, err := strconv.ParseUint(hex[2*n:2*n+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		x := float64(v) / 255
		if x <= .03928 {
			x /= 12.92
		} else {
			x = math.Pow((x+.055)/1.055, 2.4)
		}
		sum += weight * x
	}
	return sum
}
