package cgen_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"silvm/loader"
	"silvm/vm"
	"silvm/vm/cgen"
	"silvm/vm/code"
	"silvm/vm/native"
	"silvm/vm/wasm"
)

var le = binary.LittleEndian

// layOut loads a file and lays out its program, whose host writes to out.
func layOut(t *testing.T, file string, out io.Writer) (*cgen.Program, error) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mod, diags := loader.Load(file, text, loader.Options{Lazy: true})
	if diags.Errors() > 0 {
		t.Fatal(diags.Err())
	}
	m, err := vm.New(mod, vm.Config{Stdout: out, Stderr: io.Discard, Args: []string{file}, Natives: native.Table()})
	if err != nil {
		t.Fatal(err)
	}
	return cgen.New(m)
}

// host runs the module of a whole program: what it imports is done by the interpreter, over the module's memory.
type host struct {
	p      *cgen.Program
	module api.Module
	pages  uint64
	depth  uint64

	traps []trapRecord // those that the module describes
	trap  *trapRecord  // by which the program ended
}

type trapRecord struct {
	Kind, Headline, Place, In string
	Status                    int
}

var errEnd = errors.New("the program has ended")

func (h *host) Reallocate(size uint64) []byte {
	if a := h.p.Bridge.Arena(); uint64(len(a)) >= size {
		return a[:size:size]
	}
	return nil
}

func (h *host) Free() {}

func (h *host) word(at uint64) []byte { return h.p.Bridge.Arena()[wasm.Words+at:] }

func (h *host) enter() {
	b := h.p.Bridge
	b.SetStack(le.Uint64(h.word(wasm.WordStack)), le.Uint64(h.word(wasm.WordStackEnd)))
	b.SetCalls(h.depth - le.Uint64(h.word(wasm.WordCalls)))
	b.TakeAccesses(b.Arena()[wasm.Open:], le.Uint64(h.word(wasm.WordAccesses)), le.Uint64(h.word(wasm.WordBegun)))
}

func (h *host) leave(o vm.Outcome) {
	if o == vm.Ended {
		panic(errEnd)
	}
	b := h.p.Bridge
	sp, end := b.Stack()
	le.PutUint64(h.word(wasm.WordStack), sp)
	le.PutUint64(h.word(wasm.WordStackEnd), end)
	n, begun := b.PutAccesses(b.Arena()[wasm.Open:])
	le.PutUint64(h.word(wasm.WordAccesses), n)
	le.PutUint64(h.word(wasm.WordBegun), begun)
	if pages := uint64(len(b.Arena())) / (64 << 10); pages > h.pages {
		if _, ok := h.module.Memory().Grow(uint32(pages - h.pages)); !ok {
			panic(errEnd)
		}
		h.pages = pages
	}
}

// ask does an operation that the module imports.
func (h *host) ask(i *wasm.Import) func(s []uint64) {
	sites := map[uint32]*code.Site{}
	for _, s := range i.Sites {
		sites[s.PC] = s
	}
	return func(s []uint64) {
		site := sites[uint32(s[i.Params+1])]
		for k := range i.Params {
			le.PutUint64(h.p.Bridge.Arena()[wasm.Slots+8*k:], s[k])
		}
		h.enter()
		o := h.p.Bridge.Exec(site, wasm.Slots)
		h.leave(o)
		k := 0
		if i.Threw {
			if s[0] = 0; o == vm.Threw {
				s[0] = 1
			}
			k = 1
		}
		for w := range i.Writes {
			s[k+w] = le.Uint64(h.p.Bridge.Arena()[wasm.Slots+8*w:])
		}
	}
}

// destroy has the interpreter destroy an object.
func (h *host) destroy(f *code.Func, o vm.Outcome, s []uint64) {
	b := h.p.Bridge
	if o == vm.Done && f != nil {
		h.enter()
		o = b.Destroy(f, s[0], uint32(s[1]))
	}
	h.leave(o)
	s[0] = 0
}

// run instantiates the module in a file and runs it to its end.
func (h *host) run(t *testing.T, text []byte) (status int, why string) {
	t.Helper()
	b := h.p.Bridge
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(_, _ uint64) experimental.LinearMemory { return h }))
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCustomSections(true))
	defer rt.Close(ctx)
	image := bytes.Clone(h.p.Arena[:1<<20])
	clear(h.p.Arena[:1<<20]) // the module brings it along
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	type types = []api.ValueType
	build := rt.NewHostModuleBuilder(wasm.HostModule + "0")
	add := func(name string, params, results types, do func(s []uint64)) {
		build.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(_ context.Context, s []uint64) { do(s) }), params, results).Export(name)
	}
	add(wasm.HostRelease, types{i64, i32}, types{i32}, func(s []uint64) {
		f, o := b.Release(s[0], uint32(s[1]))
		h.destroy(f, o, s)
	})
	add(wasm.HostDestroy, types{i64, i32}, types{i32}, func(s []uint64) {
		f, o := b.Destroyer(s[0], uint32(s[1]))
		h.destroy(f, o, s)
	})
	add(wasm.HostRetain, types{i64}, nil, func(s []uint64) { h.check(b.Retain(s[0])) })
	add(wasm.HostCheck, types{i64}, nil, func(s []uint64) { h.check(b.CheckLive(s[0])) })
	add(wasm.HostAlloc, types{i64, i64, i32, i32}, types{i64}, func(s []uint64) {
		ref, o := b.Alloc(s[0], s[1], uint64(uint32(s[2])), uint32(s[3]))
		h.check(o)
		s[0] = ref
	})
	add(wasm.HostDealloc, types{i64, i32}, nil, func(s []uint64) { h.check(b.Dealloc(s[0], uint32(s[1]))) })
	add(wasm.HostTrap, types{i32}, nil, func(s []uint64) {
		h.trap = &h.traps[uint32(s[0])]
		panic(errEnd)
	})
	for _, i := range h.p.Whole.Imports {
		params, results := types{}, types{}
		for range i.Params + 1 {
			params = append(params, i64)
		}
		for range i.Results() {
			results = append(results, i64)
		}
		add(i.Name, append(params, i32), results, h.ask(i))
	}
	if _, err := build.Instantiate(ctx); err != nil {
		t.Fatal(err)
	}
	compiled, err := rt.CompileModule(ctx, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range compiled.CustomSections() {
		if c.Name() == "silvm.traps" {
			if err := json.Unmarshal(c.Data(), &h.traps); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.pages = uint64(len(b.Arena())) / (64 << 10)
	h.depth = b.MaxCalls() - 100
	if h.module, err = rt.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(image, b.Arena()[:1<<20]) {
		t.Fatal("the module's data is not what was laid out")
	}
	_, args := b.Main()
	words := args[:h.p.Module.Entries[0].Func.Args]
	res, err := h.module.ExportedFunction(wasm.ExportEntry(0)).Call(ctx, words...)
	stop, why, ok := b.End()
	switch {
	case h.trap != nil:
		return h.trap.Status, fmt.Sprint(*h.trap)
	case ok || why != "":
		return stop.ExitCode, why
	case err != nil:
		return -1, err.Error()
	}
	b.Exit(res[len(res)-h.p.Module.Entries[0].Results])
	stop, why, _ = b.End()
	return stop.ExitCode, why
}

func (h *host) check(o vm.Outcome) { h.leave(o) }

// A module that was written to a file prints what the recorded program printed, and ends as it did.
func TestBuildWasm(t *testing.T) {
	for _, name := range sample(t) {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			var out strings.Builder
			p, err := layOut(t, name, &out)
			if err != nil {
				t.Fatal(err)
			}
			if r := p.Refused(); r != nil {
				t.Skip(r)
			}
			file := filepath.Join(t.TempDir(), "prog.wasm")
			if err := os.WriteFile(file, p.Module.Bytes, 0o600); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			h := &host{p: p}
			got, why := h.run(t, text)
			want, status := expected(t, name)
			if got != silvmStatus(status) {
				t.Errorf("status %d, want %d (%s)", got, silvmStatus(status), why)
			}
			if got := out.String(); got != want {
				t.Errorf("printed %q, want %q (%s)", got, want, why)
			}
		})
	}
}

// The same program is the same module each time.
func TestBuildIsTheSame(t *testing.T) {
	const file = "../../programs/ordinary/classes/O.sil"
	a, err := layOut(t, file, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	b, err := layOut(t, file, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Module.Bytes, b.Module.Bytes) {
		t.Error("two modules of one program differ")
	}
}
