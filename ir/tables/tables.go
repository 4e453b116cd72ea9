// Package tables builds lookup tables whose keys are unique.
//
// Most rooms have such a table: instructions' lowerings, builtins, findings, natives, commands, requests, passes. Its rows are in several
// files, so nothing but the program itself can notice that two of them have the same key. Here it does, at start: a double key is a mistake
// in silvm's own text, never in its input, so it panics with the kind of thing and the key.
package tables

import "fmt"

// Enter puts a value into a table. It panics if the table has the key; kind says in the plural what the values are, such as "lowerings".
func Enter[K comparable, V any](table map[K]V, kind string, key K, value V) {
	if _, double := table[key]; double {
		panic(fmt.Sprintf("two %s are called %v", kind, key))
	}
	table[key] = value
}

// Index returns values by their keys, of which each may have several. It panics if a key is twice.
func Index[K comparable, V any](kind string, values []V, keys func(V) []K) map[K]V {
	all := make(map[K]V, len(values))
	for _, v := range values {
		for _, key := range keys(v) {
			Enter(all, kind, key, v)
		}
	}
	return all
}

// Join returns one table of several. It panics if a key is in two of them.
func Join[K comparable, V any](kind string, tables ...map[K]V) map[K]V {
	all := map[K]V{}
	for _, t := range tables {
		for key, v := range t {
			Enter(all, kind, key, v)
		}
	}
	return all
}
