// Package source knows the texts of a program and how to talk about places in them: files and positions,
// diagnostics with their stable codes, the form with a caret for people and the form for machines.
//
// A position is one number over all files of a Set; a diagnostic names positions only and is put into words
// by Renderer, which is the one place that knows colours, gutters and escapes. Nothing here knows what a SIL
// text means. Read file.go first, then diag.go.
package source

// Pos is a place in one of the files of a Set: the offset of a byte, counted over all files of the set
// from 1. The zero Pos is no place.
type Pos uint32
