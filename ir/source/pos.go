package source

// Pos is a place in one of the files of a Set: the offset of a byte, counted over all files of the set
// from 1. The zero Pos is no place.
type Pos uint32
