// What a built program asks of its host (docs/BUILD.md), in C. The layout of the memory stands in front of this text.

// ---- The end of the program.

_Static_assert(sizeof(void *) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "silvm needs a little-endian machine of 64 bits");

static u8 out[1 << 16];
static unsigned long outn;
static int terminal; // out goes to one: a line at a time

static void flush(void) {
	unsigned long done = 0;
	while (done < outn) {
		long n = write(1, out + done, outn - done);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) break;
		done += (unsigned long)n;
	}
	outn = 0;
}

static void put(u8 c) {
	if (outn == sizeof out) flush();
	out[outn++] = c;
	if (c == '\n' && terminal) flush();
}

static void say(const char *s) {
	unsigned long n = strlen(s);
	while (n > 0) {
		long k = write(2, s, n);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) return;
		s += k, n -= (unsigned long)k;
	}
}

static _Noreturn void finish(int status) {
	flush();
	_exit(status);
}

static _Noreturn void stop(const struct ending *e) {
	flush();
	if (e->place[0]) say(e->place), say(": ");
	say("error: "), say(e->headline);
	if (e->code[0]) say(" ["), say(e->code), say("]");
	if (e->in[0]) say(", in "), say(e->in);
	say("\n");
	finish(e->status);
}

static _Noreturn void fault(const char *code, const char *what, int status) {
	struct ending e = {code, what, "", "", status};
	stop(&e);
}

static _Noreturn void unmapped(void) { fault("SV0102", "access to an address that is not mapped", 80); }
static _Noreturn void dead(void) { fault("SV0103", "use of an object after it was destroyed", 80); }
static _Noreturn void noobject(void) { fault("SV0116", "a reference to memory that holds no object", 80); }
static _Noreturn void full(void) { fault("SV0602", "memory limit reached", 124); }

static void on_fault(int sig, siginfo_t *info, void *context) {
	(void)sig, (void)context;
	u8 *at = info->si_addr;
	if (at >= M && at < M + RESERVE) unmapped();
	if (at >= stack && at < stack + STACK) fault("SV0603", "call depth limit reached", 124);
	fault("SV0901", "bug in silvm: a fault of the machine", 70);
}

// ---- Memory. An offset is an address of the program less BASE.

static u64 mapped; // bytes of linear memory
static u64 brk_;   // what of it was taken so far; the last page is not taken

static u8 *linear(u64 off) { return M + LINEAR + off; }

// at is what lies at n bytes of the program's.
static u8 *at(u64 a, u64 n) {
	u64 off = a - BASE;
	if (off >= mapped || n > mapped - off) unmapped();
	return linear(off);
}

static u64 get64(u64 a) { u64 v; memcpy(&v, at(a, 8), 8); return v; }
static void set64(u64 a, u64 v) { memcpy(at(a, 8), &v, 8); }
static u32 *field(u32 class, u32 f) { return (u32 *)(void *)(M + STATE + (class << CLASS_SHIFT) + f); }
static u64 *count(u32 f) { return (u64 *)(void *)(M + STATE + f); }

// Small blocks lie below REACH, whose marks the program itself looks at; great ones may lie behind it.
#define LIMIT (((u64)2 << 30) - (1 << 20))
static u8 far_marks[(LIMIT - REACH) >> 4];
static u8 *mark(u64 off) { return off < REACH ? M + MARKS + (off >> 4) : far_marks + ((off - REACH) >> 4); }

static void grow(u64 need) {
	need = (need + (1 << 20) - 1) & ~(u64)((1 << 20) - 1);
	if (need > mapped && mprotect(linear(mapped), need - mapped, PROT_READ | PROT_WRITE)) full();
	if (need > mapped) mapped = need;
}

// Spans of pages: how many each has, by its first page; those that are free lie in a list by address.
static u32 span[LIMIT >> 12], start_of[LIMIT >> 12];
static struct { u32 start, n; } *spans;
static u32 nspans, maxspans;

static u64 far_brk = REACH; // as brk_, behind REACH

static int take_pages(u64 n, int small, u32 *start) {
	if (n > LIMIT >> 12) return 0;
	for (u32 k = 0; k < nspans; k++)
		if (spans[k].n >= n && (!small || spans[k].start + n <= REACH >> 12)) {
			*start = spans[k].start;
			spans[k].start += (u32)n;
			if ((spans[k].n -= (u32)n) == 0) memmove(spans + k, spans + k + 1, (--nspans - k) * sizeof *spans);
			span[*start] = (u32)n;
			return 1;
		}
	u64 *from = &brk_, most = REACH;
	if (!small && brk_ + ((n + 1) << 12) > REACH / 2) from = &far_brk, most = LIMIT;
	u64 need = *from + ((n + 1) << 12);
	if (need > most) return 0;
	if (need > mapped) grow(need);
	*start = (u32)(*from >> 12);
	*from += n << 12;
	span[*start] = (u32)n;
	return 1;
}

static void give_pages(u32 start) {
	u32 n = span[start], k = 0;
	while (k < nspans && spans[k].start < start) k++;
	if (nspans == maxspans) {
		maxspans = maxspans ? 2 * maxspans : 64;
		if (!(spans = realloc(spans, maxspans * sizeof *spans))) full();
	}
	memmove(spans + k + 1, spans + k, (nspans - k) * sizeof *spans);
	spans[k].start = start, spans[k].n = n, nspans++;
	if (k + 1 < nspans && start + n == spans[k + 1].start) {
		spans[k].n += spans[k + 1].n;
		memmove(spans + k + 1, spans + k + 2, (--nspans - k - 1) * sizeof *spans);
	}
	if (k > 0 && spans[k - 1].start + spans[k - 1].n == start) {
		spans[k - 1].n += spans[k].n;
		memmove(spans + k, spans + k + 1, (--nspans - k) * sizeof *spans);
	}
}

static u32 small_take(u32 c) {
	u32 head = *field(c, CLASS_HEAD), slots = *field(c, CLASS_SLOTS), i;
	if (*field(c, CLASS_TAIL) - head > *field(c, CLASS_KEEP)) {
		*field(c, CLASS_HEAD) = head + 1;
		memcpy(&i, M + *field(c, CLASS_QUEUE) + 4 * (head & (slots - 1)), 4);
		return i;
	}
	if ((i = *field(c, CLASS_NEXT)) != *field(c, CLASS_END)) {
		*field(c, CLASS_NEXT) = i + *field(c, CLASS_TOTAL);
		return i;
	}
	u32 total = *field(c, CLASS_TOTAL), start;
	u64 n = total > 1 << 10 ? (4 * (u64)total + 4095) >> 12 : 2;
	if (take_pages(n, 1, &start)) {
		u32 first = (start << 12) + 8 + HEADER;
		*field(c, CLASS_NEXT) = first + total;
		*field(c, CLASS_END) = first + (u32)((n << 12) - 8) / total * total;
		return first;
	}
	if (*field(c, CLASS_TAIL) == head) full();
	*field(c, CLASS_HEAD) = head + 1;
	memcpy(&i, M + *field(c, CLASS_QUEUE) + 4 * (head & (slots - 1)), 4);
	return i;
}

static u64 queues = QUEUES; // where the next queue goes

static void small_put(u32 c, u32 i) {
	u32 head = *field(c, CLASS_HEAD), tail = *field(c, CLASS_TAIL), slots = *field(c, CLASS_SLOTS);
	if (tail - head == slots) {
		u32 more = slots ? 2 * slots : 64;
		if (queues + 4 * (u64)more > LINEAR) return; // the block is not used again
		u8 *q = M + queues, *old = M + *field(c, CLASS_QUEUE);
		for (u32 k = 0; k < tail - head; k++) memcpy(q + 4 * k, old + 4 * ((head + k) & (slots - 1)), 4);
		*field(c, CLASS_QUEUE) = (u32)queues;
		*field(c, CLASS_HEAD) = 0;
		*field(c, CLASS_TAIL) = tail -= head;
		*field(c, CLASS_SLOTS) = slots = more;
		queues += 4 * (u64)more;
	}
	memcpy(M + *field(c, CLASS_QUEUE) + 4 * (tail & (slots - 1)), &i, 4);
	*field(c, CLASS_TAIL) = tail + 1;
}

// block takes a block, writes its header and marks it.
static u64 block(u64 size, u64 align, u32 kind, u64 serial, u32 pc, u8 flags) {
	u32 c, i;
	if (align == 0 || align == ~(u64)0) align = 16;
	if (align & (align - 1)) fault("SV0112", "an alignment that is no power of two", 134);
	if (size <= MAX_SMALL && align <= 16) {
		c = M[CLASS_TABLE + ((size + CLASS_ROUND) >> 4)];
		i = small_take(c);
	} else {
		u32 start;
		if (size > LIMIT || align > LIMIT) full();
		if (align < 16) align = 16;
		if (!take_pages((size + HEADER + 16 + align + 4095) >> 12, 0, &start)) full();
		u64 first = ((u64)start << 12) + BASE + HEADER;
		i = (u32)(((first + align - 1) & ~(align - 1)) - BASE);
		c = CLASS_BIG, start_of[i >> 12] = start;
	}
	*mark(i) = (u8)(c | MARK_LIVE | flags);
	u64 h[3] = {serial << 8 | kind, size | (u64)pc << 32, 0};
	memcpy(linear(i) - HEADER, h, sizeof h);
	return i;
}

static void unblock(u32 i, u32 pc) {
	u8 m = *mark(i);
	memcpy(linear(i) - 4, &pc, 4);
	if ((m & MARK_CLASS) == CLASS_BIG) {
		*mark(i) = 0;
		give_pages(start_of[i >> 12]);
		return;
	}
	*mark(i) = m & (u8)~MARK_LIVE;
	small_put(m & MARK_CLASS, i);
}

static u64 raw_alloc(u64 size, u64 align, u32 kind, u32 pc) { return block(size, align, kind, 0, pc, 0) + BASE; }

static void raw_free(u64 a, u32 pc) {
	if (a == 0) return;
	u64 i = a - BASE;
	u8 m = i < mapped && (i & 15) == 0 ? *mark(i) : 0;
	if (m == 0 || m & MARK_OBJECT) fault("SV0112", "free of what is not the start of a block", 80);
	if (!(m & MARK_LIVE)) fault("SV0111", "free of a block that was freed before", 80);
	unblock((u32)i, pc);
}

// ---- Objects.

#define ONE ((u64)1 << 33)
#define DEINITING ((u64)1 << 32)
#define DEAD ((u64)1 << 63 | (u64)1 << 61)
#define EXTRA(w) (is_dead(w) ? 0 : (w) >> 33 & (((u64)1 << 30) - 1))
#define UNOWNED(w) ((w) >> 1 & (((u64)1 << 31) - 1))

static int immortal(u64 w) { return w >> 63 && (u32)w == 0xffffffff; }
static int is_dead(u64 w) { return w >> 61 == 5 && (u32)w != 0xffffffff; }

// word reads the refcount word of what has to be an object.
static u64 word(u64 ref) {
	u64 w = get64(ref + 8);
	if (immortal(w) || is_dead(w)) return w;
	if (w >> 63 || !(w & 1) || !UNOWNED(w)) noobject();
	return w;
}

static int is_block(u64 ref) {
	u64 i = ref - BASE;
	return i < mapped && (i & 15) == 0 && *mark(i) >= (MARK_LIVE | MARK_OBJECT);
}

static void can_start(u64 ref, u64 w) {
	if (!is_block(ref) && UNOWNED(w) <= 1 && !is_dead(w)) noobject();
}

static void drop_unowned(u64 ref, u64 w, u32 pc) {
	u64 n = UNOWNED(w) - 1, i = ref - BASE, size;
	set64(ref + 8, DEAD | DEINITING | 1 | n << 1);
	if (n > 0 || !is_block(ref)) return;
	memcpy(&size, linear(i) - 16, 8);
	size = (u32)size;
	*count(COUNT_LIVE) -= 1;
	*count(COUNT_BYTES) -= size < *count(COUNT_BYTES) ? size : *count(COUNT_BYTES);
	unblock((u32)i, pc);
}

static u32 destroyer(u64 ref) {
	u64 n = (get64(ref) - TYPES) >> TYPE_SHIFT;
	u32 f = 0;
	if (n < NTYPES) memcpy(&f, M + DESTROYERS + 4 * n, 4);
	if (!f) fault("SV0801", "not supported by silvm: the deinit of a type that is not in the program", 69);
	return f;
}

static u32 host_destroy(u64 ref, u32 pc) { (void)pc; return destroyer(ref); }

static u32 host_release(u64 ref, u32 pc) {
	if ((s64)ref <= 0) return 0;
	u64 w = word(ref);
	if (immortal(w)) return 0;
	if (is_dead(w)) fault("SV0104", "release of an object that was destroyed", 80);
	if (EXTRA(w)) { set64(ref + 8, w - ONE); return 0; }
	if (w & DEINITING) fault("SV0104", "release of an object that has no strong reference left", 80);
	can_start(ref, w);
	set64(ref + 8, w | DEINITING);
	if (is_block(ref)) memcpy(linear(ref - BASE) - 8, &pc, 4);
	return destroyer(ref);
}

static void retain_n(u64 ref, u64 n) {
	if ((s64)ref <= 0) return;
	u64 w = word(ref);
	if (immortal(w)) return;
	if (is_dead(w)) dead();
	if (n > (((u64)1 << 30) - 1) - EXTRA(w)) fault("SV0117", "too many strong references", 80);
	set64(ref + 8, w + n * ONE);
}
static void host_retain(u64 ref) { retain_n(ref, 1); }

static void host_check(u64 ref) {
	if ((s64)ref <= 0) unmapped();
	if (is_dead(word(ref))) dead();
}

static u64 host_alloc(u64 meta, u64 size, u32 align, u32 pc) {
	u64 serial = *count(COUNT_OBJECTS) + 1, i = block(size < 16 ? 16 : size, align, KIND_OBJECT, serial, pc, MARK_OBJECT), h[2] = {meta, FRESH};
	*count(COUNT_OBJECTS) = serial, *count(COUNT_LIVE) += 1;
	if ((*count(COUNT_BYTES) += size) > *count(COUNT_PEAK)) *count(COUNT_PEAK) = *count(COUNT_BYTES);
	memcpy(linear(i), h, sizeof h);
	return i + BASE;
}

static void dealloc(u64 ref, u32 pc, int check) {
	if ((s64)ref <= 0) return;
	u64 w = word(ref);
	if (immortal(w)) return;
	if (is_dead(w)) fault("SV0111", "an object whose memory was given back before", 80);
	if (check && EXTRA(w)) fault("SV0107", "the object has strong references as its memory goes", 80);
	can_start(ref, w);
	drop_unowned(ref, (w & ~((((u64)1 << 30) - 1) << 33)) | DEINITING, pc);
}
static void host_dealloc(u64 ref, u32 pc) { dealloc(ref, pc, 1); }

static inline u64 bits64(double d) { u64 v; memcpy(&v, &d, 8); return v; }
static inline u32 bits32(float f) { u32 v; memcpy(&v, &f, 4); return v; }
static inline double double64(u64 v) { double d; memcpy(&d, &v, 8); return d; }
static inline float float32(u32 v) { float f; memcpy(&f, &v, 4); return f; }

// ---- Operations. Each takes what it reads, its constant and the number of the place.

static u64 op_IsUnique(u64 ref, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	if ((s64)ref <= 0) return 0;
	u64 w = word(ref);
	if (is_dead(w)) dead();
	return w >> 32 == 0;
}
static void op_RetainN(u64 ref, u64 imm, u32 pc) { (void)pc; retain_n(ref, imm); }
static void op_InitStackObject(u64 a, u64 meta, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	u64 h[2] = {meta, STACK_WORD};
	memcpy(at(a, 16), h, 16);
}
static void op_SetDeiniting(u64 ref, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	if ((s64)ref <= 0) return;
	u64 w = word(ref);
	if (immortal(w)) return;
	if (is_dead(w)) dead();
	if (w & DEINITING) fault("SV0120", "the deinit of an object begins twice", 80);
	can_start(ref, w);
	set64(ref + 8, (w & ~((((u64)1 << 30) - 1) << 33)) | DEINITING);
}
static void op_DeallocPartial(u64 ref, u64 imm, u32 pc) { (void)imm; dealloc(ref, pc, 0); }
static void op_DeallocObject(u64 ref, u64 imm, u32 pc) { (void)imm; dealloc(ref, pc, 1); }
static u64 op_ObjectType(u64 ref, u64 imm, u32 pc) { (void)imm, (void)pc; host_check(ref); return get64(ref); }
static u64 op_StackAlloc(u64 size, u64 align, u64 imm, u32 pc) { (void)imm; return raw_alloc(size, align, KIND_STACK, pc); }
static u64 op_AllocRaw(u64 size, u64 align, u64 imm, u32 pc) { (void)imm; return raw_alloc(size, align, KIND_RAW, pc); }
static void op_StackFree(u64 a, u64 imm, u32 pc) { (void)imm; raw_free(a, pc); }
static void op_FreeRaw(u64 a, u64 imm, u32 pc) { (void)imm; raw_free(a, pc); }
static void op_RetainUnowned(u64 ref, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	if ((s64)ref <= 0) return;
	u64 w = word(ref);
	if (immortal(w)) return;
	if (is_dead(w) && !UNOWNED(w)) dead();
	if (UNOWNED(w) >= ((u64)1 << 31) - 2) fault("SV0117", "too many unowned references", 80);
	set64(ref + 8, w + 2);
}
static void op_ReleaseUnowned(u64 ref, u64 imm, u32 pc) {
	(void)imm;
	if ((s64)ref <= 0) return;
	u64 w = word(ref);
	if (immortal(w)) return;
	if (UNOWNED(w) == !is_dead(w)) fault("SV0118", "release of an object that has no unowned reference left", 80);
	if (is_dead(w)) drop_unowned(ref, w, pc);
	else set64(ref + 8, w - 2);
}
static void op_StrongFromUnowned(u64 ref, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	if ((s64)ref <= 0) return;
	u64 w = word(ref);
	if (immortal(w)) return;
	if (is_dead(w) && !UNOWNED(w)) dead();
	if (w & DEINITING) fault("SV0108", "an unowned reference to an object that is destroyed", 80);
	retain_n(ref, 1);
}
static const struct class *class_of(u64 meta) {
	u64 n = (meta - TYPES) >> TYPE_SHIFT;
	if ((meta - TYPES) & ((1 << TYPE_SHIFT) - 1) || n >= sizeof classes / sizeof *classes || !classes[n].slots) fault("SV0116", "a word that is no metadata of a class", 80);
	return &classes[n];
}
static u64 op_ClassMethodMeta(u64 meta, u64 slot, u32 pc) {
	(void)pc;
	const struct class *c = class_of(meta);
	if (slot >= c->n || !c->slots[slot]) fault("SV0801", "not supported in a built program: a method that is not in it", 69);
	return c->slots[slot];
}
static u64 op_ClassMethod(u64 ref, u64 slot, u32 pc) { host_check(ref); return op_ClassMethodMeta(get64(ref), slot, pc); }
static u64 op_CastExact(u64 ref, u64 meta, u64 imm, u32 pc) { (void)imm, (void)pc; class_of(get64(ref)); return get64(ref) == meta; }
static u64 op_CastClass(u64 ref, u64 meta, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	u64 at = get64(ref);
	while (at && at != meta) at = class_of(at)->super;
	return at == meta;
}
// cast_class casts the reference at an address to a class; the one at the other is a reference of its own if counts is set.
static u64 cast_class(u64 from, u64 to, u64 meta, int counts, int forced) {
	u64 ref = get64(from);
	host_check(ref);
	if (!op_CastClass(ref, meta, 0, 0)) {
		if (forced) fault("SV0705", "could not cast an object to another class", 134);
		return 0;
	}
	set64(to, ref);
	if (counts) retain_n(ref, 1);
	return 1;
}
static u64 atomic_get(u64 a, u64 width) { u64 v = 0; memcpy(&v, at(a, width / 8), width / 8); return v; }
static void atomic_set(u64 a, u64 v, u64 width) { memcpy(at(a, width / 8), &v, width / 8); }
#define ATOMIC(how) { (void)pc; u64 old = atomic_get(a, imm & 0xff); atomic_set(a, how, imm & 0xff); return old; }
static u64 op_AtomicAdd(u64 a, u64 x, u64 imm, u32 pc) ATOMIC(old + x)
static u64 op_AtomicSub(u64 a, u64 x, u64 imm, u32 pc) ATOMIC(old - x)
static u64 op_AtomicAnd(u64 a, u64 x, u64 imm, u32 pc) ATOMIC(old & x)
static u64 op_AtomicOr(u64 a, u64 x, u64 imm, u32 pc) ATOMIC(old | x)
static u64 op_AtomicXor(u64 a, u64 x, u64 imm, u32 pc) ATOMIC(old ^ x)
static u64 op_AtomicXchg(u64 a, u64 x, u64 imm, u32 pc) ATOMIC(x)
static struct r2 op_AtomicCmpXchg(u64 a, u64 x, u64 to, u64 imm, u32 pc) {
	(void)pc;
	u64 old = atomic_get(a, imm & 0xff);
	atomic_set(a, old == x ? to : old, imm & 0xff);
	return (struct r2){old, old == x};
}
static u64 op_CmpMem(u64 a, u64 b, u64 n, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	if (n == 0) return 0;
	u8 *x = at(a, n), *y = at(b, n);
	for (u64 k = 0; k < n; k++)
		if (x[k] != y[k]) return (u32)x[k] - (u32)y[k];
	return 0;
}

static u64 math64(double x, u64 how) {
	switch (how) {
	case MATH_NEG: return bits64(x) ^ (u64)1 << 63;
	case MATH_ABS: return bits64(x) & ~(u64)0 >> 1;
	case MATH_SQRT: return bits64(sqrt(x));
	case MATH_FLOOR: return bits64(floor(x));
	case MATH_CEIL: return bits64(ceil(x));
	case MATH_TRUNC: return bits64(trunc(x));
	case MATH_ROUND: return bits64(round(x));
	}
	return bits64(rint(x));
}
static u64 op_FmathUnary64(u64 v, u64 imm, u32 pc) { (void)pc; return math64(double64(v), imm); }
// What does not fit is what x86-64 makes of it.
static u64 to_signed(double x, u64 width) {
	u64 v = x > -9223372036854777856.0 && x < 9223372036854775808.0 ? (u64)(s64)x : (u64)1 << 63;
	return v & ~(u64)0 >> (-width & 63);
}
static u64 to_unsigned(double x, u64 width) {
	if (!(x >= 9223372036854775808.0 && x < 18446744073709551616.0)) return to_signed(x, width);
	return ((u64)(s64)(x - 9223372036854775808.0) + ((u64)1 << 63)) & ~(u64)0 >> (-width & 63);
}
static u64 op_Fptosi64(u64 v, u64 imm, u32 pc) { (void)pc; return to_signed(double64(v), imm); }
static u64 op_Fptoui64(u64 v, u64 imm, u32 pc) { (void)pc; return to_unsigned(double64(v), imm); }
static u64 op_Fptosi32(u64 v, u64 imm, u32 pc) { (void)pc; return to_signed(float32((u32)v), imm); }
static u64 op_Fptoui32(u64 v, u64 imm, u32 pc) { (void)pc; return to_unsigned(float32((u32)v), imm); }
static u64 op_Frem64(u64 a, u64 b, u64 imm, u32 pc) { (void)imm, (void)pc; return bits64(fmod(double64(a), double64(b))); }
static u64 op_Fma64(u64 a, u64 b, u64 c, u64 imm, u32 pc) { (void)imm, (void)pc; return bits64(fma(double64(a), double64(b), double64(c))); }

// The stack of the program is made of chunks; what Enter gives beside the address is where the one before was.
static u64 *slot(u32 w) { return (u64 *)(void *)(M + WORDS + w); }
static struct { u64 sp, end; } *chunks;
static u32 nchunks, maxchunks;

static struct r2 op_Enter(u64 imm, u32 pc) {
	u64 size = (imm + 15) & ~(u64)15, room = size > CHUNK ? size : CHUNK, a = raw_alloc(room, 16, KIND_STACK, pc);
	if (nchunks == maxchunks) {
		maxchunks = maxchunks ? 2 * maxchunks : 64;
		if (!(chunks = realloc(chunks, maxchunks * sizeof *chunks))) full();
	}
	chunks[nchunks].sp = *slot(WORD_STACK), chunks[nchunks].end = *slot(WORD_STACK_END), nchunks++;
	*slot(WORD_STACK) = a + size, *slot(WORD_STACK_END) = a + room;
	return (struct r2){a, 1};
}

static void op_Leave(u64 a, u64 was, u64 imm, u32 pc) {
	(void)was, (void)imm;
	if (nchunks == 0) fault("SV0901", "bug in silvm: memory frames are not nested", 70);
	raw_free(a, pc);
	nchunks--;
	*slot(WORD_STACK) = chunks[nchunks].sp, *slot(WORD_STACK_END) = chunks[nchunks].end;
}

static struct r2 op_EnterHeap(u64 imm, u32 pc) { return (struct r2){raw_alloc(imm, 16, KIND_STACK, pc), 0}; }
static void op_LeaveHeap(u64 a, u64 was, u64 imm, u32 pc) { (void)was, (void)imm; raw_free(a, pc); }

static _Noreturn void accesses(void) {
	if (*slot(WORD_ACCESSES) >= MAX_ACCESSES) fault("SV0801", "not supported in a built program: so many accesses that are open at once", 69);
	fault("SV0201", "overlapping accesses, at least one of which modifies", 81);
}
static void op_CheckAccess(u64 a, u64 imm, u32 pc) { (void)a, (void)imm, (void)pc; accesses(); }
static u64 op_BeginAccess(u64 a, u64 imm, u32 pc) { (void)a, (void)imm, (void)pc; accesses(); }
static void op_EndAccess(u64 token, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	u64 n = *slot(WORD_ACCESSES);
	if (n > MAX_ACCESSES) accesses();
	for (u64 k = n; k-- > 0;) {
		u8 *a = M + OPEN + k * ACCESS_SIZE;
		u64 t;
		memcpy(&t, a + ACCESS_TOKEN, 8);
		if (t != token) continue;
		memmove(a, a + ACCESS_SIZE, (n - k - 1) * ACCESS_SIZE);
		*slot(WORD_ACCESSES) = n - 1;
		return;
	}
}

// ---- Functions of C. They take arguments as the program has them.

static u64 c_putchar(u64 c, u64 imm, u32 pc) { (void)imm, (void)pc; put((u8)c); return (u8)c; }

// c_failure ends the program with a message, two static strings: a pointer or a character, a length, and flags.
static void c_failure(u64 p, u64 pn, u64 pf, u64 m, u64 mn, u64 mf, u64 file, u64 filen, u64 filef, u64 line, u64 flags, u64 imm, u32 pc) {
	(void)p, (void)pn, (void)pf, (void)file, (void)filen, (void)filef, (void)line, (void)flags, (void)imm, (void)pc;
	static char text[1 << 12] = "fatal error: ";
	u64 n = strlen(text), k = mn < sizeof text - 64 ? mn : sizeof text - 64;
	if (!(mf & 1) && k) memcpy(text + n, at(m, k), k);
	fault("SV0707", text, 134);
}
static u64 c_strlen(u64 s, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	u64 n = 0;
	while (*at(s + n, 1)) n++;
	return n;
}
static u64 c_memcmp(u64 a, u64 b, u64 n, u64 imm, u32 pc) { return op_CmpMem(a, b, n, imm, pc); }
static u64 c_memset(u64 a, u64 c, u64 n, u64 imm, u32 pc) { (void)imm, (void)pc; if (n) memset(at(a, n), (int)(u8)c, n); return a; }
static u64 c_memmove(u64 a, u64 b, u64 n, u64 imm, u32 pc) { (void)imm, (void)pc; if (n) memmove(at(a, n), at(b, n), n); return a; }
static u64 c_memcpy(u64 a, u64 b, u64 n, u64 imm, u32 pc) { return c_memmove(a, b, n, imm, pc); }
static u64 c_strcmp(u64 a, u64 b, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	for (;; a++, b++) {
		u8 x = *at(a, 1), y = *at(b, 1);
		if (x != y || !x) return (u32)x - (u32)y;
	}
}
static u64 c_strncmp(u64 a, u64 b, u64 n, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	for (; n; n--, a++, b++) {
		u8 x = *at(a, 1), y = *at(b, 1);
		if (x != y || !x) return (u32)x - (u32)y;
	}
	return 0;
}
static u64 c_memchr(u64 a, u64 c, u64 n, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	u8 *from = n ? at(a, n) : 0, *to = n ? memchr(from, (u8)c, n) : 0;
	return to ? a + (u64)(to - from) : 0;
}
static u64 c_strcpy(u64 to, u64 from, u64 imm, u32 pc) { u64 n = c_strlen(from, imm, pc) + 1; memmove(at(to, n), at(from, n), n); return to; }
static u64 c_puts(u64 s, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	u64 n = 0;
	for (u8 c; (c = *at(s + n, 1)); n++) put(c);
	put('\n');
	return n + 1;
}
static u64 c_getchar(u64 imm, u32 pc) {
	(void)imm, (void)pc;
	static u8 in[1 << 12];
	static long n, k;
	if (k == n) {
		flush(), k = 0;
		do n = read(0, in, sizeof in); while (n < 0 && errno == EINTR);
	}
	return n > 0 ? in[k++] : (n = k = 0, 0xffffffffu);
}
static void c_exit(u64 status, u64 imm, u32 pc) { (void)imm, (void)pc; finish((u8)status); }
static void c_abort(u64 imm, u32 pc) { (void)imm, (void)pc; fault("SV0701", "the program trapped", 134); }
static u64 c_posix_memalign(u64 to, u64 align, u64 size, u64 imm, u32 pc) {
	(void)imm;
	if (align < 8 || align & (align - 1)) return 22;
	set64(to, raw_alloc(size, align, KIND_RAW, pc));
	return 0;
}
static u64 c_aligned_alloc(u64 align, u64 size, u64 imm, u32 pc) { (void)imm; return raw_alloc(size, align, KIND_RAW, pc); }
static u64 c_malloc(u64 size, u64 imm, u32 pc) { (void)imm; return raw_alloc(size, 16, KIND_RAW, pc); }
static void c_free(u64 a, u64 imm, u32 pc) { (void)imm; raw_free(a, pc); }
static u64 c_calloc(u64 n, u64 size, u64 imm, u32 pc) {
	(void)imm;
	if (size && n > ~(u64)0 / size) return 0;
	u64 a = raw_alloc(n * size, 16, KIND_RAW, pc);
	if (n * size) memset(at(a, n * size), 0, n * size);
	return a;
}
// counted reads a refcount word of which a count is asked; 0 when there is no object.
static u64 counted(u64 ref) {
	u64 off = ref - BASE, w = 0;
	if (off < mapped && mapped - off >= 16) memcpy(&w, linear(off) + 8, 8);
	if (w == (DEAD | DEINITING | 1)) return 0;
	return immortal(w) || is_dead(w) || (!(w >> 63) && w & 1 && UNOWNED(w)) ? w : 0;
}
static u64 c_realloc(u64 old, u64 size, u64 imm, u32 pc) {
	(void)imm;
	if (old && !size) { raw_free(old, pc); return 0; }
	u64 a = raw_alloc(size, 16, KIND_RAW, pc), had;
	if (!old) return a;
	u64 i = old - BASE;
	if (i >= mapped || i & 15 || !(*mark(i) & MARK_LIVE)) raw_free(old, pc); // which says what is wrong
	memcpy(&had, linear(i) - 16, 8);
	had = (u32)had < size ? (u32)had : size;
	if (had) memmove(at(a, had), at(old, had), had);
	raw_free(old, pc);
	return a;
}
static u64 c_strchr(u64 a, u64 c, u64 imm, u32 pc) {
	(void)imm, (void)pc;
	for (;; a++) {
		u8 x = *at(a, 1);
		if (x == (u8)c) return a;
		if (!x) return 0;
	}
}
static u64 c_abs(u64 v, u64 imm, u32 pc) { (void)imm, (void)pc; return (s32)v < 0 ? (u32)-(u32)v : (u32)v; }
// An object whose initializer failed: the classes that had begun destroy what they store.
static void unmake(u64 meta, u64 ref);
static void c_swift_deallocPartialClassInstance(u64 ref, u64 meta, u64 imm, u32 pc) {
	(void)imm;
	for (u64 m = get64(ref); m && m != meta; m = class_of(m)->super) unmake(m, ref);
	dealloc(ref, pc, 0);
}
static u64 c_swift_retainCount(u64 ref, u64 imm, u32 pc) { (void)imm, (void)pc; u64 w = counted(ref); return w ? EXTRA(w) + 1 : 0; }
static u64 c_swift_unownedRetainCount(u64 ref, u64 imm, u32 pc) { (void)imm, (void)pc; u64 w = counted(ref); return UNOWNED(w); }
static u64 c_swift_weakRetainCount(u64 ref, u64 imm, u32 pc) { (void)imm, (void)pc; return counted(ref) != 0; }
static u64 c_labs(u64 v, u64 imm, u32 pc) { (void)imm, (void)pc; return (s64)v < 0 ? -v : v; }

// ---- The machine of WebAssembly, as far as C has no operator for it.

static _Noreturn void broken(void) { fault("SV0901", "bug in silvm: the program does what its code should not", 70); }
static inline u64 divs(u64 a, u64 b) { if (b == 0 || (a == (u64)1 << 63 && b == ~(u64)0)) fault("", "division overflow", 134); return (u64)((s64)a / (s64)b); }
static inline u64 divu(u64 a, u64 b) { if (b == 0) fault("", "division by zero", 134); return a / b; }
static inline u64 rems(u64 a, u64 b) { if (b == 0) fault("", "division by zero", 134); return b == ~(u64)0 ? 0 : (u64)((s64)a % (s64)b); }
static inline u64 remu(u64 a, u64 b) { if (b == 0) fault("", "division by zero", 134); return a % b; }
static inline u64 trunc64(double d) {
	if (!(d >= -9223372036854775808.0 && d < 9223372036854775808.0)) fault("", "a number that has no integer", 134);
	return (u64)(s64)d;
}
static inline u64 clz64(u64 v) { return v ? (u64)__builtin_clzll(v) : 64; }
static inline u64 ctz64(u64 v) { return v ? (u64)__builtin_ctzll(v) : 64; }
static inline u64 shr64(u64 v, u64 n) { n &= 63; return (s64)v < 0 && n ? v >> n | ~(~(u64)0 >> n) : v >> n; }
static inline u64 rotr64(u64 v, u64 n) { n &= 63; return n ? v >> n | v << (64 - n) : v; }
#define LOAD(name, type) static inline type name(u32 a, u64 off) { type v; memcpy(&v, M + a + off, sizeof v); return v; }
#define STORE(name, type) static inline void name(u32 a, u64 off, type v) { memcpy(M + a + off, &v, sizeof v); }
LOAD(ld8, u8) LOAD(ld16, u16) LOAD(ld32, u32) LOAD(ld64, u64) LOAD(ldd, double)
STORE(st8, u8) STORE(st16, u16) STORE(st32, u32) STORE(st64, u64) STORE(std, double)
