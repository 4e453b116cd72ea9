package toolchain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var fake = &Toolchain{Compiler: "Swift version 6.0.3 (fake)", Version: "6.0.3", Triple: "x86_64-unknown-linux-gnu"}

// write puts a text into the cache as the module Swift.
func write(c Cache, text string) error {
	e := &Entry{Dir: c.folder(fake), manifest: manifest{Format: manifestFormat, Compiler: fake.Compiler, Version: fake.Version, Triple: fake.Triple}}
	if err := os.MkdirAll(e.Dir, 0o777); err != nil {
		return err
	}
	if err := e.keep("Swift", []byte(text)); err != nil {
		return err
	}
	return e.finish()
}

func libraryText(n int) string {
	return fmt.Sprintf("sil_stage canonical\n\nsil public @f%d : $@convention(thin) () -> () {\nbb0:\n  unreachable\n}\n", n)
}

func all(string) bool { return true }

// TestSeveralWriters writes and reads one cache at once: whoever reads finds a library that is whole.
func TestSeveralWriters(t *testing.T) {
	c := Cache{t.TempDir()}
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() {
			for k := range 10 {
				if err := write(c, libraryText(10*n+k)); err != nil {
					t.Error(err)
				}
				e := c.Entry(fake)
				if e == nil {
					t.Error("no library is there after it was written")
					return
				}
				l, err := e.Open(all)
				if err != nil {
					t.Error(err)
					return
				}
				l.Close()
			}
		})
	}
	wait.Wait()
	left, _ := filepath.Glob(filepath.Join(c.Dir, "*", "scratch-*"))
	if len(left) > 0 {
		t.Errorf("files are left behind: %v", left)
	}
}

func TestDamagedCache(t *testing.T) {
	fresh := func() (Cache, *Entry, string) {
		c := Cache{t.TempDir()}
		if err := write(c, libraryText(1)); err != nil {
			t.Fatal(err)
		}
		e := c.Entry(fake)
		return c, e, filepath.Join(e.Dir, e.Modules[0].File)
	}
	for name, spoil := range map[string]func(text string) error{
		"cut":     func(text string) error { return os.Truncate(text, 50) },
		"removed": os.Remove,
		"another of the same size": func(text string) error {
			return errors.Join(os.WriteFile(text, []byte(libraryText(2)), 0o666), os.Remove(indexName(text)))
		},
	} {
		_, e, text := fresh()
		if err := spoil(text); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Open(all); !errors.Is(err, ErrDamaged) {
			t.Errorf("a text that was %s: %v", name, err)
		}
	}
	_, e, text := fresh()
	good, err := os.ReadFile(indexName(text))
	if err != nil {
		t.Fatal(err)
	}
	for n, bad := range [][]byte{nil, good[:len(good)/2], bytes.Replace(good, []byte("silvm"), []byte("wasvm"), 1), append(bytes.Clone(good), 0)} {
		if err := os.WriteFile(indexName(text), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := e.Open(all)
		if err != nil {
			t.Fatalf("index %d: %v", n, err)
		}
		l.Close()
		if again, err := os.ReadFile(indexName(text)); err != nil || !bytes.Equal(again, good) {
			t.Errorf("index %d was not made anew: %v", n, err)
		}
	}
	for n, bad := range []string{"", "{}", "nonsense", `{"Format": 99, "Compiler": "Swift version 6.0.3 (fake)", "Modules": [{"Name": "Swift"}]}`,
		`{"Format": 1, "Compiler": "Swift version 6.0.3 (fake)", "Triple": "x86_64-unknown-linux-gnu", "Modules": [{"Name": "Swift", "File": "../Swift.sil"}]}`} {
		c, e, _ := fresh()
		if err := os.WriteFile(filepath.Join(e.Dir, manifestName), []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if c.Entry(fake) != nil || len(c.Entries()) > 0 {
			t.Errorf("manifest %d, which is %q, is read", n, bad)
		}
	}
}

// TestIndexOfFile opens a file that is no part of the cache, and again after it has changed.
func TestIndexOfFile(t *testing.T) {
	c := Cache{t.TempDir()}
	path := filepath.Join(t.TempDir(), "Swift.sil")
	for n := range 3 {
		if err := os.WriteFile(path, []byte(libraryText(n)), 0o666); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(time.Duration(n) * time.Second)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		l := &Libraries{}
		if err := c.OpenFile(l, path, 1<<20); err != nil {
			t.Fatal(err)
		}
		if l.List[0].Module != "Swift" {
			t.Errorf("the module is %s", l.List[0].Module)
		}
		l.Close()
	}
	indexes, _ := filepath.Glob(filepath.Join(c.Dir, "files", "*"))
	if len(indexes) != 1 {
		t.Errorf("%d indexes are kept of one file", len(indexes))
	}
	if err := c.OpenFile(&Libraries{}, path, 10); err == nil || !strings.Contains(err.Error(), "more than 10 bytes") {
		t.Errorf("a text that is too long: %v", err)
	}
}

func TestChoose(t *testing.T) {
	typed, untyped := []byte("bb0:\n  return %1 : $() // id: %2\n"), []byte("bb0:\n  return %1 // id: %2 : $()\n")
	entries := func(versions ...string) (all []*Entry) {
		for _, v := range versions {
			all = append(all, &Entry{manifest: manifest{Version: v}})
		}
		return all
	}
	for _, x := range []struct {
		text []byte
		have []*Entry
		want string
		fits bool
	}{
		{typed, entries("6.10", "6.2.3", "6.1", "6.0.3"), "6.1", true},
		{untyped, entries("6.10", "6.2.3", "6.1", "6.0.3"), "6.10", true},
		{typed, entries("6.2.3"), "6.2.3", false},
		{untyped, entries("6.1", "6.0.3"), "6.1", false},
		{[]byte("sil_stage raw\n"), entries("6.2.3", "6.0.3"), "6.2.3", true},
	} {
		e, fits := Choose(x.have, x.text)
		if e.Version != x.want || fits != x.fits {
			t.Errorf("%q: %s fits %v, want %s, %v", x.text, e.Version, fits, x.want, x.fits)
		}
	}
	if e, _ := Choose(nil, typed); e != nil {
		t.Errorf("of no library %v is chosen", e)
	}
	for _, pair := range [][2]string{{"6.2", "6.10"}, {"6.0.3", "6.1"}, {"5.10", "6"}} {
		if compareVersions(pair[0], pair[1]) >= 0 || compareVersions(pair[1], pair[0]) <= 0 {
			t.Errorf("%s is not before %s", pair[0], pair[1])
		}
	}
	if compareVersions("6.2", "6.2.0") != 0 {
		t.Error("6.2 is not 6.2.0")
	}
}
