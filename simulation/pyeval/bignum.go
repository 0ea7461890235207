package pyeval

// This file defines the bounds of ints beyond 64 bits; their arithmetic is in ops.go.

import (
	"math/big"
	"math/bits"
)

// Python's ints have no bound; those of a run have one, so that no operation on them takes long.

const (
	maxBits      = 1 << 18 // of an int: 78 913 digits
	maxIntDigits = 4300    // of an int as decimal text, as in Python
)

// checkBits refuses an int that is about to be made too large.
func (th *Thread) checkBits(n int) {
	if n < 0 || n > maxBits {
		th.Raise(OverflowError, "an int of more than %d bits is not supported", maxBits)
	}
	th.Alloc(n / 8)
}

// WorkOn counts the time that an operation on two large ints takes, at most.
func (th *Thread) WorkOn(x, y *big.Int) { th.Work(len(x.Bits()) * len(y.Bits())) }

// Decimal is an int as text.
func (th *Thread) Decimal(z *big.Int) string {
	if z.BitLen() > maxIntDigits*10/3+4 {
		th.tooManyDigits()
	}
	text := z.String()
	if len(text) > maxIntDigits+1 {
		th.tooManyDigits()
	}
	th.Work(len(text) * len(text) / unitsPerStep)
	return text
}

// checkDigits refuses a text of an int that is too long to be read.
func (th *Thread) checkDigits(n, base int) {
	if base == 2 || base == 4 || base == 8 || base == 16 || base == 32 {
		if n > 2*maxBits/bits.Len(uint(base)) {
			th.checkBits(maxBits + 1)
		}
		return
	}
	if n > maxIntDigits {
		th.tooManyDigits()
	}
}

func (th *Thread) tooManyDigits() {
	th.Raise(ValueError, "Exceeds the limit (%d digits) for integer string conversion", maxIntDigits)
}

// powerModulo is pow(x, y, m).
func (th *Thread) powerModulo(x, y, m *big.Int) Value {
	if m.Sign() == 0 {
		th.Raise(ValueError, "pow() 3rd argument cannot be 0")
	}
	words := len(m.Bits()) + 1
	if y.BitLen()*words*words > 1<<26 {
		th.Raise(OverflowError, "pow() of so large ints is not supported")
	}
	th.Tick(y.BitLen() * words * words / unitsPerStep)
	z := new(big.Int).Exp(new(big.Int).Mod(x, m), y, new(big.Int).Abs(m))
	if z == nil || y.Sign() < 0 && new(big.Int).GCD(nil, nil, x, m).CmpAbs(big.NewInt(1)) != 0 {
		th.Raise(ValueError, "base is not invertible for the given modulus")
	}
	if z.Sign() != 0 && m.Sign() < 0 {
		z.Add(z, m)
	}
	return BigInt(z)
}
