package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"edict/platform/fault"
)

func TestChain(t *testing.T) {
	cause := errors.New("disk on fire")
	err := fmt.Errorf("publishing: %w", fault.Wrap(cause, fault.Unavailable, "the store cannot be written: try again later"))
	if got := fault.KindOf(err); got != fault.Unavailable {
		t.Errorf("kind is %v", got)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is not in the chain")
	}
	if got := fault.From(err).Message; got != "the store cannot be written: try again later" {
		t.Errorf("message is %q", got)
	}
}

func TestUnclassifiedErrorsTellNothing(t *testing.T) {
	e := fault.From(errors.New("password=hunter2"))
	if e.Kind != fault.Internal || e.Message != "internal error" {
		t.Errorf("got %v %q", e.Kind, e.Message)
	}
	if e.Cause == nil {
		t.Error("the cause is lost for the log")
	}
}

func TestWithCodeCopies(t *testing.T) {
	sentinel := fault.New(fault.Forbidden, "no")
	if coded := sentinel.WithCode(71); coded.Code != 71 || sentinel.Code != 0 {
		t.Errorf("codes: copy %d, original %d", coded.Code, sentinel.Code)
	}
}

func TestKindNames(t *testing.T) {
	for k := fault.Internal; k <= fault.Full; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
}
