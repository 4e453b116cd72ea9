package toolchain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Cache is the folder in which the texts of libraries are kept: a folder for each compiler, in it a text and an index for each module, and
// a manifest that says which texts belong together. The names of the texts have their checksums, so that files of two writers never mix.
type Cache struct{ Dir string }

// UserCache returns the cache of the user.
func UserCache() (Cache, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return Cache{}, err
	}
	return Cache{filepath.Join(dir, "silvm", "library")}, nil
}

// manifestFormat goes up when an older silvm must not read what a newer one writes.
const manifestFormat = 1

const manifestName = "library.json"

// manifest is the content of library.json.
type manifest struct {
	Format   int
	Compiler string
	Version  string
	Triple   string
	Modules  []module
	Failed   map[string]string // modules that could not be printed, and why
}

// module is one text.
type module struct {
	Name string
	File string
	Size int64
	Sum  uint32 // CRC-32C of the text
}

// Entry is the library of one compiler in the cache.
type Entry struct {
	Dir string
	manifest
}

// Names returns the modules that are there, sorted.
func (e *Entry) Names() []string {
	var names []string
	for _, m := range e.Modules {
		names = append(names, m.Name)
	}
	return names
}

// Size returns the bytes of all texts.
func (e *Entry) Size() (n int64) {
	for _, m := range e.Modules {
		n += m.Size
	}
	return n
}

// Entries returns the libraries of the cache, the newest compiler first. Folders that this silvm can't read are left out.
func (c Cache) Entries() []*Entry {
	dirs, _ := os.ReadDir(c.Dir) // no cache, no entries
	var all []*Entry
	for _, d := range dirs {
		if e := readEntry(filepath.Join(c.Dir, d.Name())); e != nil {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b *Entry) int { return compareVersions(b.Version, a.Version) })
	return all
}

// Entry returns the library of a compiler, nil when the cache has none.
func (c Cache) Entry(t *Toolchain) *Entry {
	e := readEntry(c.folder(t))
	if e == nil || e.Compiler != t.Compiler || e.Triple != t.Triple {
		return nil
	}
	return e
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// folder returns the folder of a compiler: its version, then what tells builds of one version apart.
func (c Cache) folder(t *Toolchain) string {
	build := crc32.Checksum([]byte(t.Compiler+"\x00"+t.Triple), castagnoli)
	return filepath.Join(c.Dir, fmt.Sprintf("%s-%s-%08x", notInNames.ReplaceAllString(t.Version, "-"), notInNames.ReplaceAllString(t.Triple, "-"), build))
}

// readEntry reads a manifest, nil when there is none that this silvm understands.
func readEntry(dir string) *Entry {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if err != nil {
		return nil
	}
	e := &Entry{Dir: dir}
	if json.Unmarshal(data, &e.manifest) != nil || e.Format != manifestFormat || len(e.Modules) == 0 {
		return nil
	}
	for _, m := range e.Modules {
		if m.File != filepath.Base(m.File) || m.File == "." {
			return nil
		}
	}
	return e
}

// Progress is told of each module that was printed, with an error if it can't be: how many of how many.
type Progress func(name string, done, all int, err error)

// Print prints modules of a toolchain's library, all that there are when names is nil, and keeps them beside those that the cache has. The
// module Swift must be among them, else there is an error.
func (c Cache) Print(t *Toolchain, names []string, progress Progress) (*Entry, error) {
	frontend, err := t.tool("swift-frontend")
	if err != nil {
		return nil, err
	}
	there := t.Modules()
	if names == nil {
		names = there
	}
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(there, n) })
	e := &Entry{Dir: c.folder(t), manifest: manifest{Format: manifestFormat, Compiler: t.Compiler, Version: t.Version, Triple: t.Triple, Failed: map[string]string{}}}
	if old := c.Entry(t); old != nil {
		e.Modules, e.Failed = old.Modules, old.Failed
		if e.Failed == nil {
			e.Failed = map[string]string{}
		}
	}
	if err := os.MkdirAll(e.Dir, 0o777); err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(e.Dir, "scratch-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	for n, name := range names {
		text, err := t.printModule(frontend, name, scratch)
		if err == nil {
			err = e.keep(name, text)
			if err != nil {
				return nil, err
			}
		} else {
			e.Failed[name] = err.Error()
		}
		progress(name, n+1, len(names), err)
	}
	if !slices.Contains(e.Names(), "Swift") {
		return nil, fmt.Errorf("%s: the library can't be printed: %s", t.Compiler, e.why("Swift"))
	}
	return e, e.finish()
}

// why says why a module is not there.
func (e *Entry) why(name string) string {
	if said := e.Failed[name]; said != "" {
		return said
	}
	return "no module " + name + " for " + e.Triple + " is where the compiler says that its library is"
}

// keep writes a text.
func (e *Entry) keep(name string, text []byte) error {
	sum := checksum(text)
	m := module{name, fmt.Sprintf("%s-%08x.sil", name, sum), int64(len(text)), sum}
	if err := writeFile(filepath.Join(e.Dir, m.File), text); err != nil {
		return err
	}
	if _, err := e.makeIndex(m, text); err != nil {
		return err
	}
	delete(e.Failed, name)
	e.Modules = slices.DeleteFunc(slices.Clone(e.Modules), func(o module) bool { return o.Name == name })
	e.Modules = append(e.Modules, m)
	slices.SortFunc(e.Modules, func(a, b module) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// finish writes the manifest, then removes old texts that it does not name.
func (e *Entry) finish() error {
	data, err := json.MarshalIndent(e.manifest, "", "  ")
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(e.Dir, manifestName), append(data, '\n')); err != nil {
		return err
	}
	files, _ := os.ReadDir(e.Dir)
	for _, f := range files {
		used := f.Name() == manifestName || slices.ContainsFunc(e.Modules, func(m module) bool { return strings.HasPrefix(f.Name(), m.File) })
		if info, err := f.Info(); !used && err == nil && time.Since(info.ModTime()) > staleAfter {
			os.RemoveAll(filepath.Join(e.Dir, f.Name()))
		}
	}
	return nil
}

// staleAfter is the age at which no writer is still busy with a file.
const staleAfter = time.Hour

// Remove takes the library of a compiler out of the cache.
func (e *Entry) Remove() error { return os.RemoveAll(e.Dir) }

// writeFile writes a file by another name first.
func writeFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "scratch-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		if old, e := os.ReadFile(path); e == nil && bytes.Equal(old, data) {
			return nil // Windows: the file is there already, and somebody reads it
		}
	}
	return err
}

// compareVersions compares "6.10" and "6.9.1" by their numbers.
func compareVersions(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	part := func(s []string, n int) int {
		if n >= len(s) {
			return 0
		}
		v, _ := strconv.Atoi(s[n]) // what is no number counts as 0
		return v
	}
	for n := range max(len(x), len(y)) {
		if c := cmp.Compare(part(x, n), part(y, n)); c != 0 {
			return c
		}
	}
	return 0
}
