package numpy

import "testing"

func TestDialect(t *testing.T) {
	for version, want := range map[Version]string{"": "numpy1", "0.19.0": "numpy1", "1.26.4": "numpy1", "2.0.0": "numpy2", "2.3.5": "numpy2", "10.1": "numpy2"} {
		if got := version.Dialect(); got != want {
			t.Errorf("numpy %q is %s, want %s", version, got, want)
		}
	}
}

func TestAskWithoutNumpy(t *testing.T) {
	if version, err := Ask(t.Context(), "/no/python"); err == nil {
		t.Errorf("a Python that is not there has numpy %s", version)
	}
}
