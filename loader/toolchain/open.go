package toolchain

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"silvm/loader"
)

// Libraries are opened texts.
type Libraries struct {
	List []*loader.Library

	files   []*os.File
	indexes []string // the files of the indexes, as in List
}

// Close closes the files. An index whose text turned out to be another one is deleted, so that the next one who opens it looks at the
// whole text.
func (l *Libraries) Close() {
	for n, b := range l.List {
		if b.Err() != nil {
			os.Remove(l.indexes[n])
		}
	}
	for _, f := range l.files {
		f.Close()
	}
}

// ErrDamaged is for a text in the cache that is not the one that was put there.
var ErrDamaged = errors.New("the library in the cache is damaged")

// implicit are the modules that every program imports, or that these import.
var implicit = []string{"Swift", "_Concurrency", "SwiftOnoneSupport", "_StringProcessing", "_RegexParser"}

// Implicit returns the names of the modules that every program imports without saying so.
func Implicit() []string { return implicit }

// Open opens the modules that wanted chooses. Indexes that are missing, of another version or damaged are made anew from their texts. The
// error is ErrDamaged when a text is missing or not the one that was printed.
func (e *Entry) Open(wanted func(name string) bool) (*Libraries, error) {
	l := &Libraries{}
	for _, m := range e.Modules {
		if !wanted(m.Name) {
			continue
		}
		f, err := os.Open(filepath.Join(e.Dir, m.File))
		if err != nil {
			l.Close()
			return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
		}
		l.files = append(l.files, f)
		index, err := e.index(m, f)
		if err == nil {
			var lib *loader.Library
			if lib, err = loader.OpenLibrary(m.Name, f.Name(), f, m.Size, index, maker()); err == nil {
				l.List, l.indexes = append(l.List, lib), append(l.indexes, indexName(f.Name()))
			}
		}
		if err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

// index returns a sound index of a text, the one in the cache if it is that.
func (e *Entry) index(m module, f *os.File) ([]byte, error) {
	if info, err := f.Stat(); err != nil || info.Size() != m.Size {
		return nil, fmt.Errorf("%w: %s has not the %d bytes that were written", ErrDamaged, f.Name(), m.Size)
	}
	if index := soundIndex(m.Name, f, m.Size, indexName(f.Name())); index != nil {
		return index, nil
	}
	text, err := io.ReadAll(f)
	if err != nil || int64(len(text)) != m.Size || checksum(text) != m.Sum {
		return nil, fmt.Errorf("%w: %s is not the text that was written", ErrDamaged, f.Name())
	}
	return e.makeIndex(m, text)
}

// makeIndex makes the index of a text and keeps it if it can.
func (e *Entry) makeIndex(m module, text []byte) ([]byte, error) {
	path := filepath.Join(e.Dir, m.File)
	index, _, err := loader.BuildIndex(path, text, maker())
	if err == nil {
		_ = writeFile(indexName(path), index) // a cache that can't be written costs time, not the run
	}
	return index, err
}

// indexName returns the file of a text's index; other versions of silvm have others.
func indexName(text string) string { return fmt.Sprintf("%s.index%d", text, loader.IndexFormat) }

// soundIndex reads an index, nil when there is none that can be used.
func soundIndex(name string, text io.ReaderAt, size int64, path string) []byte {
	index, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if _, err := loader.OpenLibrary(name, path, text, size, index, maker()); err != nil {
		return nil
	}
	return index
}

// OpenFile opens the text of a library that is no part of the cache, gzipped or not. Its index is kept in the cache; max bounds the bytes of
// text.
func (c Cache) OpenFile(l *Libraries, path string, max int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	l.files = append(l.files, f)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	module, _, _ := strings.Cut(filepath.Base(path), ".")
	folder := filepath.Join(c.Dir, "files")
	file, state := fileIndex(path, info)
	place := filepath.Join(folder, file+state)
	var text io.ReaderAt = f
	size := info.Size()
	var whole []byte
	magic := make([]byte, 2)
	if n, _ := f.ReadAt(magic, 0); n == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		if whole, err = unpack(f, max); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		text, size = bytes.NewReader(whole), int64(len(whole))
	}
	if size > max {
		return fmt.Errorf("%s: more than %d bytes of text", path, max)
	}
	index := soundIndex(module, text, size, place)
	if index == nil {
		if whole == nil {
			if whole, err = io.ReadAll(f); err != nil {
				return err
			}
		}
		if index, _, err = loader.BuildIndex(path, whole, maker()); err != nil {
			return err
		}
		if os.MkdirAll(folder, 0o777) == nil {
			_ = writeFile(place, index) // a cache that can't be written costs time, not the run
			removeOthers(folder, file, state)
		}
	}
	lib, err := loader.OpenLibrary(module, path, text, size, index, maker())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	l.List, l.indexes = append(l.List, lib), append(l.indexes, place)
	return nil
}

// fileIndex names the index of a file after its path, and after that after its state, so that a changed file has another one.
func fileIndex(path string, info os.FileInfo) (file, state string) {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	when := fmt.Appendf(nil, "%d %d", info.Size(), info.ModTime().UnixNano())
	return fmt.Sprintf("%s-%08x-", filepath.Base(path), checksum([]byte(path))), indexName(fmt.Sprintf("%08x", checksum(when)))
}

// removeOthers removes the indexes of earlier states of a file.
func removeOthers(folder, file, state string) {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if s, ok := strings.CutPrefix(e.Name(), file); ok && s != state {
			os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}

func unpack(r io.Reader, max int64) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, max+1))
	if err == nil && int64(len(text)) > max {
		err = errors.New("the text is too long")
	}
	return text, err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

// maker returns a number for this build of silvm, made of its file's size and time.
var maker = sync.OnceValue(func() uint32 {
	path, err := os.Executable()
	if err != nil {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return checksum(fmt.Appendf(nil, "%d %d", info.Size(), info.ModTime().UnixNano()))
})
