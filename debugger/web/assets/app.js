// The page of silvm web. It asks the server for what to show and knows nothing of the program but what it is told. All text of the program
// goes through text(), never into markup; the one piece of markup that comes along is the picture of the heap, which the server makes.
"use strict";

const $ = id => document.getElementById(id);

// ask sends a request; one waits for the other, as the session does one thing at a time.
let queue = Promise.resolve();
let waiting = 0;
function ask(name, body = {}) {
  waiting++;
  const result = queue.then(() => send(name, body)).finally(() => { waiting--; });
  queue = result.catch(() => {});
  return result;
}

async function send(name, body) {
  const watch = setTimeout(tellProgress, 400);
  try {
    const r = await fetch(name, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
    if (!r.ok) throw new Error(await r.text());
    const answer = await r.json();
    if (answer.error) throw new Error(answer.error);
    return answer;
  } finally {
    clearTimeout(watch);
    clearTimeout(progressTimer);
    $("busy").hidden = true;
  }
}

let progressTimer;
async function tellProgress() {
  try {
    const r = await fetch("progress", {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"});
    const p = await r.json();
    if (p.busy) {
      $("busy").hidden = false;
      $("progress").textContent = "running: at step " + number(p.step);
    }
  } catch (e) { /* the request that runs will tell */ }
  progressTimer = setTimeout(tellProgress, 250);
}

const number = n => Number(n).toLocaleString("en-US");

// visible shows control characters and marks that turn the direction of text.
const visible = s => String(s).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
  c => "\\u{" + c.codePointAt(0).toString(16) + "}");

// el makes an element: el("td", {class: "num"}, "text", child).
function el(tag, attrs = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs)) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== false && v !== undefined && v !== null) e.setAttribute(k, v === true ? "" : v);
  }
  for (const c of children.flat(Infinity)) {
    if (c === null || c === undefined || c === false) continue;
    e.append(c instanceof Node ? c : visible(c));
  }
  return e;
}

const link = (text, f, title) => el("button", {class: "link", type: "button", title, onclick: f}, text);
const fill = (id, ...children) => $(id).replaceChildren(...children.flat(Infinity).filter(c => c));

// What is shown.
let now = null;            // the latest state
let before = {};           // counts of objects at the stop before, by name
let tab = "objects";
let subject = "";          // the object whose life is shown
let byLine = false;
let lastVerb = "next";

const stepLink = n => link(number(n), () => run("goto " + n), "go to step " + n);
const objectLink = name => link(name, () => { subject = name; show("object"); }, "the life of " + name);

function countsOf(c) {
  let t = "strong " + c.strong;
  if (c.unowned > 1) t += ", unowned " + c.unowned;
  if (c.weak > 1) t += ", weak " + c.weak;
  return c.state === "live" ? t : t + ", " + c.state;
}

function badge(name, c) {
  const t = countsOf(c), was = before[name];
  const changed = was !== undefined && was !== t;
  return el("span", {class: changed ? "count changed" : "count", title: changed ? "was " + was : false}, t);
}

// placeText words a place: the Swift line where it is known, else the SIL line.
function placeText(p) {
  if (!p) return "";
  return p.swift ? p.swift.replace(/:\d+$/, "") : p.file + ":" + p.line;
}

// Moves.
async function run(line) {
  try {
    update(await ask("do", {line}));
  } catch (e) { said(e.message, true); }
}

function said(text, bad) {
  $("said").textContent = visible(text);
  $("said").className = bad ? "bad" : "";
  $("said").scrollTop = 0;
}

const lined = ["step", "next", "rstep", "rnext"];
function verb(v) {
  lastVerb = v;
  run(byLine && lined.includes(v) ? v + " line" : v);
}

const verbs = [
  ["restart", "|◀", "Start", "r", "go to the first instruction"],
  ["rcontinue", "◀◀", "Continue back", "C", "back to the breakpoint before, or to the start"],
  ["rfinish", "↥", "Out back", "F", "back to the call of this function"],
  ["rnext", "◁", "Next back", "N", "one instruction back, over calls"],
  ["rstep", "◂", "Step back", "S", "one instruction back, into calls"],
  null,
  ["step", "▸", "Step", "s", "one instruction, into calls"],
  ["next", "▷", "Next", "n", "one instruction, over calls"],
  ["finish", "↧", "Out", "f", "to the end of this function"],
  ["continue", "▶▶", "Continue", "c", "to the next breakpoint, finding or the end"],
  ["goto end", "▶|", "End", "G", "to the end of the run"],
];

function makeVerbs() {
  for (const v of verbs) {
    if (!v) { $("verbs").append(el("span", {class: "gap"})); continue; }
    const [name, sign, word, key, title] = v;
    $("verbs").append(el("button", {type: "button", title: `${title} (${key})`, "aria-label": word, onclick: () => verb(name)}, sign, el("span", {class: "word"}, " " + word)));
  }
  $("verbs").append(el("span", {class: "gap"}),
    el("button", {type: "button", id: "unit", title: "steps of a line of Swift in place of an instruction (l)", onclick: toggleUnit}, "by line"),
    el("button", {type: "button", title: "keys (?)", onclick: () => $("help").showModal()}, "?"));
}

function toggleUnit() {
  byLine = !byLine;
  $("unit").setAttribute("aria-pressed", byLine);
}

// Time.
let wanted = null;
async function slide() {
  const first = wanted === null;
  wanted = $("slider").value;
  $("step").value = number(wanted);
  if (!first) return;
  while (wanted !== null) {
    const to = wanted;
    await run("goto " + to);
    if (wanted === to) wanted = null;
  }
}

function showTime() {
  const s = $("slider"), last = Math.max(now.last, 1);
  s.max = last;
  if (wanted === null) s.value = now.stop.step;
  $("step").value = number(now.stop.step);
  $("last").textContent = "of " + number(now.last) + (now.surveyed ? "" : " or more");
  const marks = [];
  for (const [name, step] of Object.entries(now.bookmarks || {})) marks.push([step, name, ""]);
  if (now.surveyed && now.findings && now.findings.length) marks.push([now.last, "the run ends with " + now.findings.length + " findings", "bad"]);
  fill("marks", marks.map(([step, title, kind]) => {
    const b = el("button", {type: "button", class: kind, title: title + ", step " + number(step), tabindex: -1, onclick: () => run("goto " + step)});
    b.style.left = 100 * step / last + "%";
    return b;
  }));
}

function stopText(s) {
  if (s.end) {
    return s.end.code ? s.end.code + ": " + s.end.message : "the program has exited with status " + s.end.status +
      (s.end.alive ? "; " + number(s.end.alive) + (s.end.alive === 1 ? " object is" : " objects are") + " still alive" : "");
  }
  const at = s.frame ? " in " + s.frame.function : "";
  const by = s.breakpoint ? (s.breakpoint.kind === "watch" ? "watchpoint " : "breakpoint ") + s.breakpoint.id : "";
  if (s.event) return (by ? by + ": " : "") + "about to " + s.event.kind + " " + s.event.object + at;
  if (by && !s.change) return by + at;
  if (s.change) return s.change.what + ": " + s.change.old + " → " + s.change.new;
  if (s.reason === "interrupted") return "interrupted" + at;
  if (s.reason === "start") return "the start of the program: nothing is before it";
  return at.slice(1);
}

// Texts of functions and files are asked for once.
const bodies = new Map(), swifts = new Map();
async function once(map, key, name, body) {
  if (!map.has(key)) map.set(key, await ask(name, body).catch(() => null));
  return map.get(key);
}

// silLine is a line of SIL: the name of the instruction, types, and what stands at the end quietly.
function silLine(text) {
  const cut = [text.search(/, loc (\* )?"/), text.search(/, scope \d+\s*(\/\/|$)/), text.search(/\s*\/\//)].filter(n => n >= 0);
  const end = cut.length ? Math.min(...cut) : text.length;
  const out = [];
  let rest = text.slice(0, end), seen = /^\s*(bb|sil|\})/.test(rest);
  for (const w of rest.split(/([%@$]?[\w.$]+)/)) {
    if (w === "") continue;
    if (!seen && /^[a-z_]+$/.test(w)) { out.push(el("span", {class: "op"}, w)); seen = true; }
    else if (/^\$[\w*@(]/.test(w)) out.push(el("span", {class: "type"}, w));
    else out.push(w);
  }
  if (end < text.length) out.push(el("span", {class: "tail"}, text.slice(end)));
  return out;
}

function showCode(id, listing, here, wordsOf) {
  const box = $(id);
  if (box.listing !== listing) {
    box.listing = listing;
    box.replaceChildren(...listing.lines.map(l => {
      const row = el("div", {"data-n": l.number}, el("button", {class: "n", type: "button", tabindex: -1, title: "breakpoint", onclick: () => toggleBreak(listing.file, l.number)}, l.number));
      row.append(el("span", {}, wordsOf(l.text)));
      return row;
    }));
    box.scrollLeft = 0;
  }
  for (const e of box.querySelectorAll(".here, .break")) e.classList.remove("here", "break");
  const row = n => box.querySelector(`[data-n="${n}"]`);
  for (const b of now.breakpoints) {
    const n = b.spec.startsWith(listing.file + ":") ? b.spec.slice(listing.file.length + 1) : "";
    if (/^\d+$/.test(n) && row(n)) row(n).classList.add("break");
  }
  const at = row(here);
  if (at) {
    at.classList.add("here");
    reveal(box);
  }
}

// reveal scrolls a pane of code to the line where the run stands, if that is outside.
function reveal(box) {
  const at = box.querySelector(".here");
  if (at && (at.offsetTop < box.scrollTop + box.offsetTop + 20 || at.offsetTop > box.scrollTop + box.offsetTop + box.clientHeight - 40))
    box.scrollTop = at.offsetTop - box.offsetTop - box.clientHeight / 2;
}

// The panes change their sizes with the window, and when the Swift source comes.
const resized = new ResizeObserver(list => { for (const e of list) reveal(e.target); });
for (const id of ["sil", "swift"]) resized.observe($(id));

function toggleBreak(file, line) {
  const spec = file + ":" + line, b = now.breakpoints.find(b => b.spec === spec);
  run(b ? "delete " + b.id : "break " + spec);
}

async function showSource() {
  const state = now;
  const frame = state.frames.frames[state.frames.frames.findIndex(f => f.index === state.frame)];
  const swift = frame && frame.place && frame.place.swift;
  if (state.symbol) {
    const body = await once(bodies, state.symbol, "body", {symbol: state.symbol});
    if (state !== now) return;
    if (body) {
      $("sil-file").textContent = visible(body.file);
      showCode("sil", body, state.line, silLine);
    }
  } else {
    for (const e of document.querySelectorAll(".code .here")) e.classList.remove("here");
  }
  if (swift) {
    const [, file, line] = swift.match(/^(.*):(\d+):\d+$/) || [];
    const text = await once(swifts, file, "swift", {file});
    if (state !== now) return;
    const there = text && text.lines.length > 0;
    if (there) {
      $("swift-box").hidden = false;
      document.querySelector("main").classList.remove("noswift");
      $("swift-file").textContent = visible(file);
      showCode("swift", text, Number(line), t => [t]);
    }
  }
}

function valueRow(v) {
  return el("tr", {title: v.type ? v.name + " : " + v.type : v.name}, el("td", {class: "mono"}, v.name),
    el("td", {class: "mono"}, v.object ? [objectLink(v.object), v.value === v.object ? "" : " " + v.value] : v.value),
    el("td", {class: "num"}, v.counts ? badge(v.object, v.counts) : ""));
}

function showSide() {
  const rows = [], n = now.stop;
  const group = (name, list) => { if (list.length) rows.push(el("tr", {class: "group"}, el("td", {colspan: 3}, name)), ...list.map(valueRow)); };
  group("Swift variables", now.locals);
  group("SIL values", now.values);
  if (n.changes && n.changes.length) {
    rows.push(el("tr", {class: "group"}, el("td", {colspan: 3}, n.back ? "what is different from the later stop" : "changed since the last stop")));
    for (const c of n.changes.slice(0, 12)) {
      const gone = n.back ? "not made yet" : "gone", fresh = n.back ? "not freed yet" : "new";
      rows.push(el("tr", {}, el("td", {class: "mono"}, objectLink(c.object)), el("td", {colspan: 2},
        c.before ? countsOf(c.before) : fresh, " → ", c.after ? countsOf(c.after) : gone)));
    }
    if (n.changes.length > 12) rows.push(el("tr", {}, el("td", {colspan: 3, class: "dim"}, "and " + (n.changes.length - 12) + " more")));
  }
  fill("values", rows.length ? el("table", {}, rows) : el("p", {class: "pad dim"}, now.frames.frames.length ? "no values here" : "no call is under way"));
  const frame = now.frames.frames.find(f => f.index === now.frame);
  $("frame-name").textContent = frame ? visible("of " + frame.function) : "";
  fill("frames", now.frames.frames.map(f => el("li", {class: f.index === now.frame ? "here" : false}, el("span", {class: "dim"}, f.index + "  "),
    link(f.function, () => run("frame " + f.index)), " ", el("span", {class: "dim"}, placeText(f.place), f.inlined ? ", inlined in " + f.inlined : ""))),
    now.frames.depth > now.frames.frames.length ? el("li", {class: "dim"}, "and " + number(now.frames.depth - now.frames.frames.length) + " more") : null);
}

// The panel.
const tabs = {
  objects: {name: "Objects", draw: drawObjects},
  object: {name: "Life", draw: drawLife},
  heap: {name: "Heap", draw: drawHeap},
  findings: {name: "Findings", draw: drawFindings},
  tasks: {name: "Tasks", draw: drawTasks},
  breaks: {name: "Breakpoints", draw: drawBreaks},
  output: {name: "Output", draw: drawOutput},
};

function show(name) {
  tab = name;
  showTabs();
}

function showTabs() {
  const many = {objects: now.status.live, findings: now.surveyed && now.findings ? now.findings.length : 0, tasks: now.tasks.length > 1 ? now.tasks.length : 0, breaks: now.breakpoints.length};
  fill("tabs", Object.entries(tabs).map(([key, t]) => el("button", {type: "button", role: "tab", "aria-selected": String(key === tab), onclick: () => show(key)},
    key === "object" && subject ? subject : t.name, many[key] ? " " + number(many[key]) : "")));
  tabs[tab].draw(now);
}

// into fills the panel unless the page has gone on meanwhile.
function into(state, key, ...children) {
  if (state === now && tab === key) fill("tab", ...children);
}

let classShown = "";
async function drawObjects(state) {
  const classes = Object.entries(state.classes).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (!classes.length) return into(state, "objects", el("p", {class: "dim"}, "no object is alive"));
  const list = await ask("live", {class: classShown in state.classes ? classShown : ""}).catch(e => ({objects: [], total: 0}));
  into(state, "objects",
    el("div", {class: "pad"}, classes.slice(0, 40).map(([name, n]) => [el("button", {type: "button", "aria-pressed": String(name === classShown),
      onclick: () => { classShown = classShown === name ? "" : name; drawObjects(now); }}, name + " × " + number(n)), " "])),
    el("table", {}, el("tr", {}, el("th", {}, "object"), el("th", {}, "counts"), el("th", {}, "made"), el("th", {class: "num"}, "bytes")),
      list.objects.map(o => el("tr", {}, el("td", {class: "mono"}, objectLink(o.name)), el("td", {class: "keep"}, badge(o.name, o)),
        el("td", {}, placeText(o.made), o.made && o.made.in ? el("span", {class: "dim"}, " in " + o.made.in) : ""), el("td", {class: "num"}, number(o.size))))),
    list.total > list.objects.length ? el("p", {class: "dim"}, "and " + number(list.total - list.objects.length) + " more; choose a class") : null);
}

async function drawLife(state) {
  if (!subject) return into(state, "object", el("p", {class: "dim"}, "choose an object: its life is shown here"));
  let o;
  try { o = await ask("object", {name: subject}); } catch (e) { return into(state, "object", el("p", {class: "bad"}, e.message)); }
  const x = o.object, name = x.name, open = o.balance.open, extra = o.balance.extra;
  let sum = o.balance.more ? ["too many changes to pair retains with releases"] : open || extra ? [] : ["retains and releases are balanced"];
  const until = !state.stop.end ? " not released yet" : state.stop.end.code && x.state === "live" ? " not released until then" : " never released";
  if (open) sum.push(number(open) + (open === 1 ? " reference" : " references") + until);
  if (extra) sum.push(number(extra) + (extra === 1 ? " release" : " releases") + " too many");
  const holders = o.balance.pairs.filter(p => !p.release && p.holder).map(p => p.holder);
  into(state, "object",
    el("p", {}, el("b", {class: "mono"}, name), " ", badge(name, x), " ", number(x.size) + " bytes; ", sum.join(", "), holders.length ? ": for " + holders.join(", ") : "", " ",
      link("last change", () => run("last " + name), "back to the last change of its counts"), " · ", link("picture", () => { heapAbout = name; show("heap"); }, "who holds it and what it holds")),
    x.state === "live" ? el("p", {}, o.chain ? ["kept by ", el("span", {class: "mono"}, o.chain)] : o.address ? "no reference leads to it, but " + o.address + " has the address of what does: it has leaked unless that is taken back (Unmanaged)" :
      el("span", {class: "bad"}, "no global, no call and no task leads to it: it has leaked"),
      o.holders.length ? el("span", {class: "dim"}, "; held by " + o.holders.join(", ")) : "",
      o.excess ? el("span", {class: "dim"}, "; " + number(o.excess) + " of what refers to it in memory was moved from, or is borrowed") : "", o.weak.length ? el("span", {class: "dim"}, "; weak in " + o.weak.join(", ")) : "") : null,
    o.fields.length ? el("table", {}, o.fields.map(valueRow)) : null,
    el("table", {}, el("tr", {}, el("th", {class: "num"}, "step"), el("th", {}, "what"), el("th", {}, "after"), el("th", {}, "where")),
      o.events.map(e => el("tr", {class: e.step === state.stop.step ? "here" : false}, el("td", {class: "num"}, stepLink(e.step)), el("td", {class: e.failed ? "bad keep" : "keep"}, e.kind),
        el("td", {class: "keep"}, e.failed ? "the finding" : e.kind === "deinit" || e.kind === "dealloc" ? e.after.state : countsOf(e.after)),
        el("td", {}, placeText(e.place), e.place && e.place.in ? el("span", {class: "dim"}, " in " + e.place.in) : "")))),
    o.more ? el("p", {class: "dim"}, "and more; history " + name + " below tells all") : null);
}

let heapAbout = "";
async function drawHeap(state) {
  let g;
  try { g = await ask("graph", {name: heapAbout}); } catch (e) { heapAbout = ""; return into(state, "heap", el("p", {class: "bad"}, e.message)); }
  const holder = el("div", {class: "scroll"});
  if (g.svg) {
    holder.innerHTML = g.svg; // made by the server, where every text is escaped
    for (const b of holder.querySelectorAll("g.box[data-object]")) b.addEventListener("click", () => { subject = b.dataset.object; show("object"); });
  } else holder.append(el("p", {class: "dim"}, g.note));
  into(state, "heap", heapAbout ? el("p", {}, "around ", el("b", {class: "mono"}, heapAbout), " ", link("show all", () => { heapAbout = ""; drawHeap(now); })) : null, holder);
}

function drawFindings(state) {
  if (!state.surveyed && !state.stop.end) return into(state, "findings", el("p", {class: "dim"}, "the end of the run was not seen yet; ", link("look for it", survey)));
  const list = state.findings || [];
  if (!list.length) return into(state, "findings", el("p", {class: "good"}, "no finding: the run ends by itself, and nothing leaks"));
  into(state, "findings", list.map(f => el("div", {class: "finding"},
    el("b", {}, (f.code || f.severity) + ": "), f.message, " ",
    f.code ? link("go there", () => moment(f.code), "go to where it came about") : "",
    f.place ? el("div", {class: "dim"}, placeText(f.place), f.place.in ? " in " + f.place.in : "") : "",
    f.place && f.place.source ? el("div", {class: "mono"}, f.place.source) : "",
    (f.objects || []).map(o => [objectLink(o), " "]),
    (f.notes || []).map(n => el("div", {}, el("span", {class: "dim"}, n.kind + ": "), n.message, n.place ? el("span", {class: "dim"}, " " + placeText(n.place)) : "")))));
}

async function moment(code) {
  try { update(await ask("moment", {code})); } catch (e) { said(e.message, true); }
}

function drawTasks(state) {
  if (!state.tasks.length) return into(state, "tasks", el("p", {class: "dim"}, "no task"));
  into(state, "tasks", el("table", {}, state.tasks.map(t => el("tr", {class: t.running ? "here" : false}, el("td", {class: "mono keep"}, t.name), el("td", {}, t.state),
    el("td", {}, t.frames.map(f => el("div", {}, f.function + " ", el("span", {class: "dim"}, placeText(f.place)))))))));
}

function drawBreaks(state) {
  const add = el("input", {placeholder: "place, or: release Node, watch Node#1.next", size: 34, "aria-label": "what to stop at"});
  into(state, "breaks", el("form", {class: "pad", onsubmit: e => { e.preventDefault(); if (add.value) run(/^watch /.test(add.value) ? add.value : "break " + add.value); }}, "stop at ", add),
    el("table", {}, state.breakpoints.map(b => el("tr", {}, el("td", {class: "num"}, b.id), el("td", {class: "mono"}, (b.events ? b.events.join(" or ") + (b.spec ? " of " : "") : b.kind === "watch" ? "watch " : "") + b.spec,
      b.condition ? " if " + b.condition : ""), el("td", {class: "dim keep"}, "hit " + number(b.hits) + (b.hits === 1 ? " time" : " times")),
      el("td", {class: "keep"}, link(b.enabled ? "switch off" : "switch on", () => run((b.enabled ? "disable " : "enable ") + b.id)), " · ", link("delete", () => run("delete " + b.id)))))));
}

function drawOutput(state) {
  into(state, "output", state.output ? el("pre", {}, state.output) : el("p", {class: "dim"}, "nothing was printed up to here"),
    state.more ? el("p", {class: "dim"}, "what was printed later is not kept") : null);
}

// update shows a new state.
function update(state) {
  const old = now;
  if (old && old.stop.step !== state.stop.step) before = seenCounts(old);
  now = state;
  document.title = state.title + " — silvm";
  $("title").textContent = visible(state.title);
  $("stop").textContent = visible(stopText(state.stop));
  $("stop").className = state.stop.end && state.stop.end.code ? "bad" : "";
  if (state.text) said(state.text);
  showTime();
  showSide();
  showSource();
  showTabs();
}

// seenCounts are the counts that a state showed, by object.
function seenCounts(state) {
  const out = {};
  for (const v of [...state.locals, ...state.values]) if (v.counts) out[v.object] = countsOf(v.counts);
  for (const c of state.stop.changes || []) if (c.after) out[c.object] = countsOf(c.after);
  return out;
}

async function survey() {
  try { update(await ask("survey")); } catch (e) { said(e.message, true); }
}

// Keys, as in gdb and delve; a capital letter goes back.
const keys = {
  s: ["step", () => verb("step")], S: ["step back", () => verb("rstep")],
  n: ["next", () => verb("next")], N: ["next back", () => verb("rnext")],
  f: ["finish: out of this function", () => verb("finish")], F: ["back to the call", () => verb("rfinish")],
  c: ["continue", () => verb("continue")], C: ["continue back", () => verb("rcontinue")],
  u: ["until: over the rest of a loop", () => verb("until")],
  r: ["go to the start", () => verb("restart")], G: ["go to the end", () => verb("goto end")],
  g: ["go to a step", () => { $("step").focus(); $("step").select(); }],
  b: ["breakpoint on this line, or none", () => { const b = $("sil").listing; if (b && now.line) toggleBreak(b.file, now.line); }],
  l: ["steps by line, or by instruction", toggleUnit],
  "[": ["look at the caller (up)", () => run("up")], "]": ["look at what was called (down)", () => run("down")],
  t: ["the next tab", () => { const k = Object.keys(tabs); show(k[(k.indexOf(tab) + 1) % k.length]); }],
  ":": ["type a command", () => $("line").focus()],
  Enter: ["the last move again", () => verb(lastVerb)],
  "?": ["these keys", () => $("help").showModal()],
};

addEventListener("keydown", e => {
  if (e.key === "Escape") {
    if (document.activeElement) document.activeElement.blur();
    return;
  }
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) && e.target.type !== "range";
  if (typing || e.ctrlKey || e.metaKey || e.altKey || $("help").open) return;
  if (e.key === "Enter" && /^(BUTTON)$/.test(e.target.tagName)) return;
  const k = keys[e.key];
  if (k && now) { e.preventDefault(); k[1](); }
});

const typed = [];
let at = 0;
$("line").addEventListener("keydown", e => {
  if (e.key === "ArrowUp" || e.key === "ArrowDown") {
    at = Math.max(0, Math.min(typed.length, at + (e.key === "ArrowUp" ? -1 : 1)));
    $("line").value = typed[at] || "";
    e.preventDefault();
  }
});
let completing;
$("line").addEventListener("input", () => {
  clearTimeout(completing);
  completing = setTimeout(async () => {
    if (waiting) return;
    const line = $("line").value, head = line.slice(0, line.lastIndexOf(" ") + 1);
    const c = await ask("complete", {line}).catch(() => ({words: []}));
    fill("words", c.words.slice(0, 50).map(w => el("option", {value: head + w})));
  }, 150);
});
$("console").addEventListener("submit", e => {
  e.preventDefault();
  const line = $("line").value;
  if (line) { typed.push(line); at = typed.length; }
  $("line").value = "";
  run(line);
});
$("slider").addEventListener("input", slide);
$("step").addEventListener("keydown", e => {
  if (e.key === "Enter") { run("goto " + $("step").value.replace(/,/g, "")); $("step").blur(); }
});
$("interrupt").addEventListener("click", () => fetch("interrupt", {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"}));

makeVerbs();
$("keys").append(...Object.entries(keys).map(([k, [what]]) => el("tr", {}, el("td", {}, el("kbd", {}, k)), el("td", {}, what))));
ask("state").then(s => { document.querySelector("main").classList.add("noswift"); update(s); return survey(); }).catch(e => said(e.message, true));
