package ir

// Stage says how far the compiler has come with a module (docs/SIL.rst, SIL Stage).
type Stage uint8

// The stages under SIL's names.
const (
	StageUnstated  Stage = iota // no sil_stage in the text
	StageRaw                    // before the mandatory passes
	StageCanonical              // after them
	StageLowered                // after what prepares for machine code
)

var stageWords = [...]string{StageUnstated: "", StageRaw: "raw", StageCanonical: "canonical", StageLowered: "lowered"}

// String returns the word after sil_stage, "" for StageUnstated.
func (s Stage) String() string { return wordOf(stageWords[:], int(s)) }

// ParseStage returns the stage that the word after sil_stage names.
func ParseStage(word string) (Stage, bool) {
	n, ok := findWord(stageWords[:], word)
	return Stage(n), ok
}
