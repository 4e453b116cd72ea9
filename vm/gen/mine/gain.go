//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"silvm/vm"
)

// writeTime runs a kernel and writes the user seconds of the run, without loading.
func writeTime(w io.Writer, file string) error {
	m, err := start(file, vm.Limits{})
	if err != nil {
		return err
	}
	before := userTime()
	if err := ended(file, m.Run(0)); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, userTime()-before)
	return err
}

func userTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
}

// gains times the kernels with runs and without, in turn, and says what the runs gain.
func gains() (string, error) {
	dir, err := os.MkdirTemp("", "mine")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	with, without := filepath.Join(dir, "with"), filepath.Join(dir, "without")
	off, err := withoutRuns(dir)
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{{"-o", with}, {off, "-o", without}} {
		cmd := exec.Command("go", append(append([]string{"build"}, args...), "./vm/gen/mine")...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	for _, folders := range [][]string{kernels, {heldOut}} {
		var ratios []ratio
		for _, folder := range folders {
			list, err := files(folder)
			if err != nil {
				return "", err
			}
			for _, file := range list {
				r, err := compare(file, without, with)
				if err != nil {
					return "", err
				}
				ratios = append(ratios, ratio{kernel(file), r})
			}
		}
		b.WriteString(say(folders, ratios))
	}
	return b.String(), nil
}

// withoutRuns returns the argument of the go command for a machine that makes no runs.
func withoutRuns(dir string) (string, error) {
	const file, old = "vm/machine.go", "return !m.cfg.Plain && !m.cfg.Tools"
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if bytes.Count(text, []byte(old)) != 1 {
		return "", fmt.Errorf("%s has no %q", file, old)
	}
	to := filepath.Join(dir, "machine.go")
	if err := os.WriteFile(to, bytes.Replace(text, []byte(old), []byte("return false"), 1), 0o666); err != nil {
		return "", err
	}
	at, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	return writeOverlay(dir, map[string]string{at: to})
}

// compare returns the ratio of the least times that two binaries take for a kernel.
func compare(file, a, b string) (float64, error) {
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range *rounds {
		for k, bin := range []string{a, b} {
			out, err := exec.Command(bin, "-time", file).Output()
			if err != nil {
				return 0, fmt.Errorf("%s: %w", file, err)
			}
			t, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
			if err != nil {
				return 0, err
			}
			least[k] = min(least[k], t)
		}
	}
	return least[0] / least[1], nil
}

// ratio is what a kernel gains.
type ratio struct {
	kernel string
	ratio  float64
}

func kernel(file string) string { return filepath.Base(filepath.Dir(file)) }

// say writes ratios and their geometric mean.
func say(folders []string, list []ratio) string {
	var b strings.Builder
	sum := 0.0
	slices.SortFunc(list, func(x, y ratio) int { return strings.Compare(x.kernel, y.kernel) })
	for _, r := range list {
		sum += math.Log(r.ratio)
		fmt.Fprintf(&b, " %s %.2f", r.kernel, r.ratio)
	}
	what := "learned from"
	if folders[0] == heldOut {
		what = "held out"
	}
	return fmt.Sprintf("  %-12s %.2f %s\n", what, math.Exp(sum/float64(len(list))), "("+strings.TrimSpace(b.String())+")")
}
