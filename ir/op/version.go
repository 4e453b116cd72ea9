package op

// Version is a release of the Swift compiler whose instructions were compared with the table: what 6.1 brought stands under 6.2.
type Version uint8

// The versions.
const (
	Swift60 Version = iota + 1 // 6.0.3
	Swift62                    // 6.2.3
	numVersions
)

var versionNames = [numVersions]string{Swift60: "6.0", Swift62: "6.2"}

// Versions returns all of them, the oldest first.
func Versions() []Version {
	var all []Version
	for v := Swift60; v < numVersions; v++ {
		all = append(all, v)
	}
	return all
}

// String returns the number of the release.
func (r Version) String() string { return name(versionNames[:], int(r)) }
