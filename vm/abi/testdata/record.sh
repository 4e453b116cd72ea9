#!/bin/sh
# Records in layouts.txt what the Swift compiler makes of the types of decls.swift that rows.txt lists. Run it in this folder
# where a Swift compiler is; the tests only read what it wrote. SWIFTC is the compiler, RUN what runs a program.
#
#   layout TYPE                        size, stride and alignment, in bytes
#   name TYPE                          the name that print and String(reflecting:) show
#   class TYPE                         instance size and alignment, from the class metadata
#   value TYPE CASE PAYLOAD EXPRESSION the bytes of the payload alone (- if none) and of the enum
set -ef
SWIFTC=${SWIFTC:-swiftc}
{
	cat decls.swift
	cat <<'SWIFT'
extension B: P, P2 {}
extension C: Q {}
let c0 = C(), b0 = B(), q0: Q = c0, e0: Error = Failure.bad(1), m0: Any.Type = C.self, r0 = Refs(c: c0, d: c0)
let a0 = [1, 2], p0 = UnsafeRawPointer(bitPattern: 0x1000)!, f0: () -> Void = {}, d0: [String: Int] = ["a": 1]
func hex<T>(_ v: T) -> String {
  let digits = Array("0123456789abcdef")
  let s = withUnsafeBytes(of: v) { $0.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() }
  return s.isEmpty ? "." : s
}
func layout<T>(_ n: String, _: T.Type) { print("layout", n, MemoryLayout<T>.size, MemoryLayout<T>.stride, MemoryLayout<T>.alignment, separator: "\t") }
func name<T>(_ n: String, _ t: T.Type) { print("name", n, t, String(reflecting: t), separator: "\t") }
func cls(_ n: String, _ c: AnyClass) {
  let p = unsafeBitCast(c, to: UnsafeRawPointer.self)
  print("class", n, p.load(fromByteOffset: 24, as: UInt32.self), p.load(fromByteOffset: 28, as: UInt16.self) + 1, separator: "\t")
}
func value<E>(_ n: String, _ c: String, _ p: String, _ e: E) { print("value", n, c, p, hex(e), separator: "\t") }
SWIFT
	while read -r kind rest; do
		case $kind in
		layout) echo "layout(\"$rest\", ($rest).self)" ;;
		name) echo "name(\"$rest\", ($rest).self)" ;;
		class) echo "cls(\"$rest\", $rest.self)" ;;
		value)
			set -- $rest
			t=$1 c=$2 p=$3 e=$4
			[ "$p" = - ] && p='"-"' || p="hex($p)"
			echo "value(\"$t\", \"$c\", $p, $e as $t)"
			;;
		esac
	done <rows.txt
} >main.swift
trap 'rm -f main.swift main plain' EXIT
$SWIFTC -O -module-name main main.swift -o main
$SWIFTC -Onone -module-name main main.swift -o plain
{
	echo "# $($SWIFTC --version 2>&1 | head -1)"
	$RUN ./main
} >layouts.txt
$RUN ./plain | grep -v ^value | diff - - <<PLAIN || { echo "-Onone differs" >&2; exit 1; }
$(grep -E '^(layout|class|name)' layouts.txt)
PLAIN
