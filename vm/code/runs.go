package code

// A run is a sequence of operations that the machine's loop does at once: the first instruction of such a sequence gets the number
// of the run for its operation, the others stay as they are. So a jump may lead into the middle of a run.

// MaxRun is the greatest length of a run.
const MaxRun = 4

// RunTable finds runs in instructions.
type RunTable struct {
	list [][]Op
	root runTree
}

// runTree is a node of the tree of runs: the operations that may come next, and the run that ends here.
type runTree struct {
	next map[Op]*runTree
	run  Op // 0: none
}

var runs = NewRunTable(Runs[:])

// NewRunTable returns the table of the given runs, the first of which has the number FirstRun.
func NewRunTable(list [][]Op) *RunTable {
	t := &RunTable{list: list}
	for k, ops := range list {
		at := &t.root
		for _, o := range ops {
			if at.next[o] == nil {
				if at.next == nil {
					at.next = map[Op]*runTree{}
				}
				at.next[o] = &runTree{}
			}
			at = at.next[o]
		}
		at.run = FirstRun + Op(k)
	}
	return t
}

// Join makes runs of the instructions from index from on, such that as few as possible are dispatched from there to the end of
// the path. Instructions that were joined before are joined anew.
func Join(insts []Inst, from int) { runs.Join(insts, from) }

// Join is Join with the runs of the table.
func (t *RunTable) Join(insts []Inst, from int) {
	cost := make([]float32, len(insts)-from+MaxRun+1) // dispatches from an instruction on
	for k := len(insts) - 1; k >= from; k-- {
		in := &insts[k]
		o := t.first(in.Op)
		in.Op = o
		best := 1 + cost[k-from+1]*onward[o]
		weight := onward[o]
		at := t.root.next[o]
		for n := k + 1; at != nil && n < len(insts); n++ {
			next := t.first(insts[n].Op)
			if at = at.next[next]; at == nil {
				break
			}
			weight *= onward[next]
			if c := 1 + weight*cost[n-from+1]; at.run != 0 && c <= best {
				best, in.Op = c, at.run
			}
		}
		cost[k-from] = best
	}
}

func (t *RunTable) first(o Op) Op {
	if o >= FirstRun && int(o-FirstRun) < len(t.list) {
		return t.list[o-FirstRun][0]
	}
	return o
}

// onward is, for each operation, how likely the next instruction is to follow it.
var onward = makeOnward()

func makeOnward() *[Count]float32 {
	var w [Count]float32
	for k := range table {
		o := Op(k).Operands()
		switch {
		case o.Imm == RoleTargets && o.A == RoleNone, o.MayCall, o.C == RoleSteps && o.Imm != RoleTargets && Op(k) != Steps:
			w[k] = 0
		case o.Imm == RoleTargets:
			w[k] = 0.5
		default:
			w[k] = 1
		}
	}
	return &w
}
