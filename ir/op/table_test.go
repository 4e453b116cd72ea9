package op

import "testing"

func TestValidate(t *testing.T) {
	for _, err := range Validate() {
		t.Error(err)
	}
}
