package calls

import (
	"slices"

	"silvm/ir"
	"silvm/ir/facts"
	"silvm/ir/op"
	"silvm/ir/worklist"
	"silvm/opt/rewrite"
)

// projectionTree splits a value into the parts that a function reads one by one. A node has children when some user takes it apart; a leaf is
// live when something uses it, or a value it is part of, as a whole.
type projectionTree struct {
	mod    *ir.Module
	ts     *facts.Types
	root   *projection
	leaves []*projection // the live ones, in the order of the fields
}

type projection struct {
	parent   *projection
	index    int // of the field of the parent
	typ      *ir.Type
	children []*projection
	split    bool // children were asked for
	live     bool
	users    []*ir.Operand // those that do not take it apart
}

// newProjectionTree looks at what is done with v.
func newProjectionTree(mod *ir.Module, ts *facts.Types, v *ir.Value) *projectionTree {
	t := &projectionTree{mod: mod, ts: ts, root: &projection{typ: v.Type}}
	type item struct {
		v    *ir.Value
		node *projection
	}
	work := []item{{v, t.root}}
	for at := range worklist.Drain(&work) {
		if at.v != nil {
			for _, x := range at.v.UseList() {
				i := x.User()
				if facts.IsDebug(i) {
					continue
				}
				if child := t.childFor(at.node, i); child != nil {
					work = append(work, item{i.Result(), child})
					continue
				}
				at.node.users = append(at.node.users, x)
				at.node.live = true
			}
		}
		if at.node.live {
			for _, child := range at.node.children {
				child.live = true
				work = append(work, item{nil, child})
			}
		}
	}
	t.eachLeaf(func(n *projection) {
		if n.live {
			t.leaves = append(t.leaves, n)
		}
	})
	return t
}

// childFor returns the part of the node that an instruction extracts, nil when it does anything else.
func (t *projectionTree) childFor(n *projection, i *ir.Inst) *projection {
	if i.Op != op.StructExtract && i.Op != op.TupleExtract {
		return nil
	}
	if !n.split {
		n.split = true
		fields, _ := t.ts.FieldTypes(n.typ)
		for k, f := range fields {
			n.children = append(n.children, &projection{parent: n, index: k, typ: f})
		}
	}
	k := facts.FieldNumber(t.mod, i)
	if k < 0 || k >= len(n.children) {
		return nil
	}
	return n.children[k]
}

// eachLeaf yields the leaves, live or not, in the order of the fields.
func (t *projectionTree) eachLeaf(yield func(n *projection)) {
	work := []*projection{t.root}
	for n := range worklist.Drain(&work) {
		if len(n.children) == 0 {
			yield(n)
		}
		for _, child := range slices.Backward(n.children) {
			work = append(work, child)
		}
	}
}

// isSingleton reports whether the tree has one leaf only.
func (t *projectionTree) isSingleton() bool {
	for n := t.root; len(n.children) > 0; n = n.children[0] {
		if len(n.children) > 1 {
			return false
		}
	}
	return true
}

// extract emits the projections of all parts of v and returns the live leaves.
func (t *projectionTree) extract(e *rewrite.Editor, b *ir.Builder, v *ir.Value) []*ir.Value {
	type item struct {
		node *projection
		v    *ir.Value
	}
	var leaves []*ir.Value
	work := []item{{t.root, v}}
	for at := range worklist.Drain(&work) {
		if len(at.node.children) == 0 {
			if at.node.live {
				leaves = append(leaves, at.v)
			}
			continue
		}
		for _, child := range slices.Backward(at.node.children) {
			work = append(work, item{child, e.Project(b, at.v, child.index, child.typ).Result()})
		}
	}
	return leaves
}

// replaceUses lets the users of the parts use the leaves in their place; a part that is used as a whole is put together again, inner ones
// first.
func (t *projectionTree) replaceUses(b *ir.Builder, leaves []*ir.Value) {
	made := map[*projection][]*ir.Value{} // what is known of the children
	done := map[*projection]bool{}
	var work []*projection
	give := func(n *projection, v *ir.Value) *projection {
		for _, x := range n.users {
			x.Set(v)
		}
		p := n.parent
		if p == nil || !p.live {
			return nil
		}
		if made[p] == nil {
			made[p] = make([]*ir.Value, len(p.children))
		}
		made[p][n.index] = v
		return p
	}
	for k, n := range t.leaves {
		if p := give(n, leaves[k]); p != nil {
			work = append(work, p)
		}
	}
	complete := func(n *projection) bool { return !slices.Contains(made[n], nil) }
	for len(work) > 0 {
		slices.SortStableFunc(work, func(x, y *projection) int { return boolInt(complete(x)) - boolInt(complete(y)) })
		var added []*projection
		for len(work) > 0 {
			n := work[len(work)-1]
			if done[n] {
				work = work[:len(work)-1]
				continue
			}
			if !complete(n) {
				break
			}
			done[n] = true
			if p := give(n, rewrite.BuildAggregate(b, n.typ, made[n])); p != nil {
				added = append(added, p)
			}
		}
		if len(added) == 0 && len(work) > 0 {
			break // a live part without all of its parts: there is none
		}
		work = append(work, added...)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rebuild puts the whole value together from the live leaves, with undef in the place of the dead ones.
func (t *projectionTree) rebuild(b *ir.Builder, leaves []*ir.Value) *ir.Value {
	at := map[*projection]*ir.Value{}
	for k, n := range t.leaves {
		at[n] = leaves[k]
	}
	var build func(n *projection) *ir.Value
	build = func(n *projection) *ir.Value {
		if len(n.children) == 0 {
			if v := at[n]; v != nil {
				return v
			}
			return ir.NewUndef(n.typ)
		}
		parts := make([]*ir.Value, len(n.children))
		for k, child := range n.children {
			parts[k] = build(child)
		}
		return rewrite.BuildAggregate(b, n.typ, parts)
	}
	return build(t.root)
}
