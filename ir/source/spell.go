package source

import "sort"

// DidYouMean returns ", did you mean 'x'?" for the candidate nearest to word, "" when none is near.
func DidYouMean(word string, candidates []string) string {
	if best := Nearest(word, candidates); best != "" {
		return ", did you mean '" + best + "'?"
	}
	return ""
}

// Nearest returns the candidate with the smallest edit distance to word, at most a third of its length, rounded up;
// of several the first in alphabetical order; "" when none is near.
func Nearest(word string, candidates []string) string {
	if len(word) > 100 {
		return ""
	}
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted)
	best, limit := "", (len(word)+2)/3+1
	for _, c := range sorted {
		if d := editDistance(word, c, limit); d < limit {
			best, limit = c, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions and replacements of bytes that turn a into b; it returns limit
// as soon as the count can't be below it.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag, low := row[0], i
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := diag
			if a[i-1] != b[j-1] {
				d = 1 + min(diag, row[j], row[j-1])
			}
			diag, row[j] = row[j], d
			low = min(low, d)
		}
		if low >= limit {
			return limit
		}
	}
	return row[len(b)]
}
