package code

// A run is a sequence of operations that the machine's loop does in one go: the first instruction of such a sequence gets the number
// of the run for its operation, the others stay as they are. So a jump may lead into the middle of a run.

// MaxRun is the greatest length of a run.
const MaxRun = 4

// runTree is a node of the tree of runs: the operations that may come next, and the run that ends here.
type runTree struct {
	next map[Op]*runTree
	run  Op // 0: none
}

var runs = newRunTree()

func newRunTree() *runTree {
	root := &runTree{}
	for k, ops := range Runs {
		t := root
		for _, o := range ops {
			if t.next[o] == nil {
				if t.next == nil {
					t.next = map[Op]*runTree{}
				}
				t.next[o] = &runTree{}
			}
			t = t.next[o]
		}
		t.run = FirstRun + Op(k)
	}
	return root
}

// Join makes runs of the instructions from index from on, such that as few as possible are dispatched from there to the end of
// the way. Instructions that were joined before are joined anew.
func Join(insts []Inst, from int) {
	cost := make([]float32, len(insts)-from+MaxRun+1) // dispatches from an instruction on
	for k := len(insts) - 1; k >= from; k-- {
		in := &insts[k]
		o := in.Op.First()
		in.Op = o
		best := 1 + cost[k-from+1]*onward[o]
		weight := onward[o]
		t := runs.next[o]
		for n := k + 1; t != nil && n < len(insts); n++ {
			next := insts[n].Op.First()
			if t = t.next[next]; t == nil {
				break
			}
			weight *= onward[next]
			if c := 1 + weight*cost[n-from+1]; t.run != 0 && c <= best {
				best, in.Op = c, t.run
			}
		}
		cost[k-from] = best
	}
}

// onward is, for each operation, how likely the next instruction is to follow it.
var onward = makeOnward()

func makeOnward() *[Count]float32 {
	var w [Count]float32
	for k := range Table {
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
