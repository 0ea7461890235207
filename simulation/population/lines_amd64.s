#include "textflag.h"

// func linesBMI2(out *byte, names *uint64, values *float32, before, behind *uint64, decimals *int, n int) (lines, bytes int)
//
// It writes n lines, one at least: a name of digits that is a word behind ends of lines, a comma, a float as appendDigits has it. It stops at
// one that has another name, or nothing behind its point. It may write up to eight bytes behind the last.
TEXT ·linesBMI2(SB), NOSPLIT, $0-72
	MOVQ out+0(FP), DI
	MOVQ names+8(FP), SI
	MOVQ values+16(FP), BX
	XORQ AX, AX
line:
	MOVQ $0x0a0a0a0a0a0a0a0a, R9
	MOVQ (SI)(AX*8), R8
	XORQ R8, R9
	TZCNTQ R9, R9
	ANDQ $56, R9           // bits that are missing; the word 0 has none
	SHRXQ R9, R8, R8
	MOVQ $0x3030303030303030, DX
	SHRXQ R9, DX, R10
	XORQ R8, R10           // digits below 10
	MOVQ $0x7676767676767676, R11
	ADDQ R10, R11
	ORQ R10, R11
	MOVQ $0x8080808080808080, R10
	TESTQ R10, R11
	JNZ linesEnd
	MOVQ behind+32(FP), R12
	MOVQ (R12)(AX*8), R12
	TESTQ R12, R12
	JZ linesEnd
	MOVQ R8, (DI)
	SHRQ $3, R9
	SUBQ R9, DI
	MOVB $',', 8(DI)
	MOVL (BX)(AX*4), R10
	MOVL R10, R11
	SHRL $31, R11
	MOVB $'-', 9(DI)
	LEAQ 9(DI)(R11*1), DI
	SHRL $23, R10
	MOVBLZX R10, R10       // the exponent, and 127
	MOVQ decimals+40(FP), R11
	MOVQ -1016(R11)(R10*8), R10
	MOVQ before+24(FP), R8
	MOVQ (R8)(AX*8), R8
	TZCNTQ R8, R9
	ANDQ $56, R9
	ORQ DX, R8
	SHRXQ R9, R8, R8
	MOVQ R8, (DI)
	SHRQ $3, R9
	SUBQ R9, DI
	MOVB $'.', 8(DI)
	BSRQ R12, R13
	SHRQ $3, R13           // 7 but for zeros at the end
	ORQ DX, R12
	LEAQ (R10*8), R9
	NEGQ R9
	SHRXQ R9, R12, R12
	MOVQ R12, 9(DI)
	ADDQ R10, DI
	ADDQ R13, DI
	MOVB $'\n', 2(DI)
	ADDQ $3, DI
	INCQ AX
	CMPQ AX, n+48(FP)
	JLT line
linesEnd:
	SUBQ out+0(FP), DI
	MOVQ AX, lines+56(FP)
	MOVQ DI, bytes+64(FP)
	RET
