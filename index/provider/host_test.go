//go:build !linux

package provider

import "testing"

// P-1: a host without the guards is refused at admission; nothing takes their place.
func TestUnsupportedHostIsRefused(t *testing.T) {
	_, err := Admit(t.Context(), t.TempDir(), DefaultOptions())
	if !isCode(err, HostUnsupported) {
		t.Fatalf("got %v", err)
	}
}
