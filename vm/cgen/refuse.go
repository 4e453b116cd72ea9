package cgen

import (
	"encoding/binary"
	"fmt"

	"silvm/vm/code"
)

func put64(b []byte, v uint64) { binary.LittleEndian.PutUint64(b, v) }
func get32(b []byte) uint32    { return binary.LittleEndian.Uint32(b) }

// Refusal is something that a built program can't do.
type Refusal struct {
	What string // the operation or the native
	In   string // the function that does it
	At   string // the place
}

// Error words the refusal.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: not supported in a built program: %s, in %s", r.At, r.What, r.In)
}

// interpreted are operations that only silvm's interpreter can do: what they make or call is found out while the program runs, from its
// bytecode.
var interpreted = map[code.Op]string{
	code.BeginApply: "a coroutine that has no place in its caller", code.BeginApplyThick: "a coroutine that is called indirectly",
	code.BeginApplyMethod: "a coroutine that is called indirectly", code.BeginApplyWitness: "a coroutine that is called indirectly",
	code.BeginApplyDyn: "a coroutine that is called indirectly", code.EndApply: "a coroutine that has no place in its caller",
	code.AbortApply: "a coroutine that has no place in its caller",
	code.CallDyn:    "a call of a generic function whose types are known only at run time", code.FuncHandleDyn: "a generic function whose types are known only at run time",
	code.MetadataDyn: "a generic type that is made at run time",
	code.Call:        "a call of a function that has no code", code.CallTry: "a call of a function that has no code", code.TailCall: "a call of a function that has no code",
}

// Refused returns the first thing that the program asks for and no host of its module could do, nil for none.
func (p *Program) Refused() *Refusal {
	for _, i := range p.Whole.Imports {
		what, is := interpreted[i.Op]
		if !is || i.Native != nil || len(i.Sites) == 0 {
			continue
		}
		e := p.Bridge.Ending(i.Sites[0].PC)
		return &Refusal{What: what + " (" + i.Name + ")", In: e.In, At: placeText(p.Bridge.Program().Module.Files, e.Pos)}
	}
	return nil
}
