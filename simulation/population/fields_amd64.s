#include "textflag.h"

DATA wordLengths<>+0(SB)/8, $9          // one more than a word has bytes
DATA wordLengths<>+8(SB)/8, $0xfffffff8 // what the number of missing bytes has nothing of
DATA wordLengths<>+16(SB)/8, $0x38      // what eight times as many have
GLOBL wordLengths<>(SB), RODATA, $24

// func wordsAVX2(out *uint64, data *byte, ends *int32, width, n int, fill uint64) (done int)
//
// Field i lies between the place ends[i*width] and the place behind that. Its bytes are the last of word i, behind those of fill. n is a positive
// multiple of four. It stops at four fields of which one has no bytes, or more than eight.
TEXT ·wordsAVX2(SB), NOSPLIT, $0-56
	MOVQ out+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ ends+16(FP), BX
	MOVQ width+24(FP), DX
	MOVQ n+32(FP), CX
	VPBROADCASTQ fill+40(FP), Y15
	VPBROADCASTQ wordLengths<>+0(SB), Y14
	VPBROADCASTQ wordLengths<>+8(SB), Y13
	VPBROADCASTQ wordLengths<>+16(SB), Y12
	SHLQ $2, DX
	LEAQ (DX)(DX*2), R8
	XORQ AX, AX
words:
	VMOVQ (BX), X0
	VPINSRQ $1, (BX)(DX*1), X0, X0
	VMOVQ (BX)(DX*2), X1
	VPINSRQ $1, (BX)(R8*1), X1, X1
	VINSERTI128 $1, X1, Y0, Y0
	VPSRLQ $32, Y0, Y1
	VPSUBD Y0, Y1, Y1
	VPSUBD Y1, Y14, Y1   // how many bytes are missing
	VPTEST Y1, Y13
	JNZ wordsEnd
	VPSLLD $3, Y1, Y1
	VPAND Y12, Y1, Y1
	MOVL 4(BX), R9
	MOVL 4(BX)(DX*1), R10
	MOVL 4(BX)(DX*2), R11
	MOVL 4(BX)(R8*1), R12
	VMOVQ -8(SI)(R9*1), X2
	VPINSRQ $1, -8(SI)(R10*1), X2, X2
	VMOVQ -8(SI)(R11*1), X3
	VPINSRQ $1, -8(SI)(R12*1), X3, X3
	VINSERTI128 $1, X3, Y2, Y2
	VPXOR Y15, Y2, Y2
	VPSRLVQ Y1, Y2, Y2
	VPSLLVQ Y1, Y2, Y2
	VPXOR Y15, Y2, Y2
	VMOVDQU Y2, (DI)(AX*8)
	LEAQ (BX)(DX*4), BX
	ADDQ $4, AX
	CMPQ AX, CX
	JLT words
wordsEnd:
	VZEROUPPER
	MOVQ AX, done+48(FP)
	RET

DATA zeroDigits<>+0(SB)/8, $0x3030303030303030
GLOBL zeroDigits<>(SB), RODATA, $8
DATA points<>+0(SB)/8, $0x1e1e1e1e1e1e1e1e // '.' without what digits have in common
GLOBL points<>(SB), RODATA, $8
DATA nothing<>+0(SB)/8, $0x1e00000000000000
GLOBL nothing<>(SB), RODATA, $8
DATA nines<>+0(SB)/8, $0x0909090909090909
GLOBL nines<>(SB), RODATA, $8
DATA ones<>+0(SB)/8, $0x0101010101010101
GLOBL ones<>(SB), RODATA, $8
DATA tens<>+0(SB)/8, $0x010a010a010a010a
GLOBL tens<>(SB), RODATA, $8
DATA hundreds<>+0(SB)/8, $0x0001006400010064
GLOBL hundreds<>(SB), RODATA, $8
DATA numbers<>+0(SB)/8, $10000
DATA numbers<>+8(SB)/8, $0x4330000000000000 // 2⁵² as a float64
DATA numbers<>+16(SB)/8, $0xff
DATA numbers<>+24(SB)/8, $8
GLOBL numbers<>(SB), RODATA, $32
DATA powers<>+0(SB)/4, $0x3f800000 // 1, 10 … 10⁷ as float32
DATA powers<>+4(SB)/4, $0x41200000
DATA powers<>+8(SB)/4, $0x42c80000
DATA powers<>+12(SB)/4, $0x447a0000
DATA powers<>+16(SB)/4, $0x461c4000
DATA powers<>+20(SB)/4, $0x47c35000
DATA powers<>+24(SB)/4, $0x49742400
DATA powers<>+28(SB)/4, $0x4b189680
GLOBL powers<>(SB), RODATA, $32

// func numbersAVX2(out *float32, words *uint64, n int) (done int)
//
// Each word is a number, as shortNumber has it, rounded to a float32. n is a positive multiple of four. It stops at four words of which one is none.
TEXT ·numbersAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ words+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX
	VPBROADCASTQ zeroDigits<>(SB), Y15
	VPBROADCASTQ points<>(SB), Y14
	VPBROADCASTQ nothing<>(SB), Y13
	VPBROADCASTQ nines<>(SB), Y12
	VPBROADCASTQ ones<>(SB), Y11
	VPBROADCASTQ numbers<>+8(SB), Y10
	VPBROADCASTQ numbers<>+16(SB), Y9
	VMOVDQU powers<>(SB), Y8
	VPXOR Y7, Y7, Y7
number:
	VMOVDQU (SI)(AX*8), Y0
	VPXOR Y15, Y0, Y0
	VPCMPEQB Y14, Y0, Y1    // the point
	VPCMPEQD Y2, Y2, Y2
	VPADDQ Y2, Y1, Y2
	VPANDN Y2, Y1, Y2       // what is before it: everything if there is none
	VPSLLQ $8, Y2, Y3
	VPOR Y9, Y3, Y3         // up to it
	VPAND Y2, Y0, Y4
	VPCMPEQQ Y7, Y1, Y5
	VPBROADCASTQ numbers<>+24(SB), Y6
	VPANDN Y6, Y5, Y5
	VPSLLVQ Y5, Y4, Y4
	VPANDN Y0, Y3, Y5
	VPOR Y4, Y5, Y4         // digits without it
	VPSUBUSB Y12, Y4, Y5
	VPCMPEQQ Y13, Y0, Y6    // a point alone
	VPOR Y6, Y5, Y5
	VPTEST Y5, Y5
	JNZ numbersEnd
	VPBROADCASTQ tens<>(SB), Y5
	VPBROADCASTQ hundreds<>(SB), Y6
	VPMADDUBSW Y5, Y4, Y4
	VPMADDWD Y6, Y4, Y4     // four digits, and the last four
	VPBROADCASTQ numbers<>(SB), Y5
	VPMULUDQ Y5, Y4, Y5
	VPSRLQ $32, Y4, Y4
	VPADDQ Y5, Y4, Y4
	VPOR Y10, Y4, Y4        // a float64 of as much and 2⁵²
	VSUBPD Y10, Y4, Y4
	VPANDN Y11, Y3, Y3
	VPSADBW Y7, Y3, Y3      // how many digits are behind the point
	VPERMPS Y8, Y3, Y3
	VEXTRACTF128 $1, Y3, X5
	VSHUFPS $0x88, X5, X3, X3
	VCVTPS2PD X3, Y3
	VDIVPD Y3, Y4, Y4
	VCVTPD2PSY Y4, X4
	VMOVUPS X4, (DI)(AX*4)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT number
numbersEnd:
	VZEROUPPER
	MOVQ AX, done+24(FP)
	RET

DATA dateText<>+0(SB)/8, $0x3030000000000000 // six bytes of another field, and 0000-00-00
DATA dateText<>+8(SB)/8, $0x30302d30302d3030
GLOBL dateText<>(SB), RODATA, $16
DATA dateMost<>+0(SB)/8, $0x0909ffffffffffff
DATA dateMost<>+8(SB)/8, $0x0909000909000909
GLOBL dateMost<>(SB), RODATA, $16
DATA dateDigits<>+0(SB)/8, $0x0f0e0c0b09080706
DATA dateDigits<>+8(SB)/8, $0x8080808080808080
GLOBL dateDigits<>(SB), RODATA, $16
DATA dateParts<>+0(SB)/8, $0x0001010000010064 // years by 100 and 1, months by 256 and days by 1
DATA dateParts<>+8(SB)/8, $0
GLOBL dateParts<>(SB), RODATA, $16

// func datesAVX2(out *uint64, data *byte, ends *int32, width, n int) (done int)
//
// Field i, as in wordsAVX2, is a date of ten bytes: word i gets the year, 2³² times the day and 2⁴⁰ times the month. It stops at any other.
TEXT ·datesAVX2(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ data+8(FP), SI
	MOVQ ends+16(FP), BX
	MOVQ width+24(FP), DX
	MOVQ n+32(FP), CX
	SHLQ $2, DX
	XORQ AX, AX
	VMOVDQU dateText<>(SB), X1
	VMOVDQU dateMost<>(SB), X2
	VMOVDQU dateDigits<>(SB), X3
	VMOVDQU dateParts<>(SB), X4
	VPBROADCASTQ tens<>(SB), X5
date:
	MOVL (BX), R9
	MOVL 4(BX), R10
	MOVQ R10, R11
	SUBQ R9, R11
	CMPQ R11, $11
	JNE datesEnd
	VPXOR -16(SI)(R10*1), X1, X0
	VPSUBUSB X2, X0, X6
	VPTEST X6, X6
	JNZ datesEnd
	VPSHUFB X3, X0, X0
	VPMADDUBSW X5, X0, X0
	VPMADDWD X4, X0, X0
	VMOVQ X0, (DI)(AX*8)
	ADDQ DX, BX
	INCQ AX
	CMPQ AX, CX
	JLT date
datesEnd:
	VZEROUPPER
	MOVQ AX, done+40(FP)
	RET

DATA monthDays<>+0(SB)/8, $0x1f1e1f1e1f1c1f00 // by month; 29 February is left to others
DATA monthDays<>+8(SB)/8, $0x0000001f1e1f1e1f
GLOBL monthDays<>(SB), RODATA, $16
DATA calendar<>+0(SB)/8, $0xffff
DATA calendar<>+8(SB)/8, $3
DATA calendar<>+16(SB)/8, $12
DATA calendar<>+24(SB)/8, $979 // months of a year that begins in March have 30.6 days
DATA calendar<>+32(SB)/8, $2919
DATA calendar<>+40(SB)/8, $365
DATA calendar<>+48(SB)/8, $5243 // 2¹⁹ / 100
DATA calendar<>+56(SB)/8, $719469
GLOBL calendar<>(SB), RODATA, $64

// func daysAVX2(out *int64, words *uint64, n int) (done int)
//
// Each word of datesAVX2 is a day, as dayOf has it. n is a positive multiple of four. It stops at four words of which one is none, or the leap day.
TEXT ·daysAVX2(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ words+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX
	VBROADCASTI128 monthDays<>(SB), Y15
	VPBROADCASTQ calendar<>+0(SB), Y14
	VPBROADCASTQ calendar<>+8(SB), Y13
	VPBROADCASTQ calendar<>+16(SB), Y12
	VPBROADCASTQ calendar<>+24(SB), Y11
	VPBROADCASTQ calendar<>+32(SB), Y10
	VPBROADCASTQ calendar<>+40(SB), Y9
	VPBROADCASTQ calendar<>+48(SB), Y8
	VPBROADCASTQ calendar<>+56(SB), Y7
	VPXOR Y6, Y6, Y6
day:
	VMOVDQU (SI)(AX*8), Y0
	VPSRLQ $40, Y0, Y1     // the month
	VPSLLQ $24, Y0, Y2
	VPSRLQ $56, Y2, Y2     // the day
	VPAND Y14, Y0, Y0      // the year
	VPSHUFB Y1, Y15, Y3
	VPCMPGTQ Y3, Y2, Y3
	VPSRLQ $4, Y1, Y4
	VPOR Y4, Y3, Y3
	VPCMPEQQ Y6, Y2, Y4
	VPOR Y4, Y3, Y3
	VPCMPEQQ Y6, Y0, Y4
	VPOR Y4, Y3, Y3
	VPTEST Y3, Y3
	JNZ daysEnd
	VPCMPGTQ Y1, Y13, Y3   // January and February are the last of the year before
	VPADDQ Y3, Y0, Y0
	VPAND Y12, Y3, Y3
	VPADDQ Y3, Y1, Y1
	VPMULUDQ Y11, Y1, Y1
	VPSUBQ Y10, Y1, Y1
	VPSRLQ $5, Y1, Y1      // days of the months before
	VPADDQ Y2, Y1, Y1
	VPMULUDQ Y9, Y0, Y2
	VPADDQ Y2, Y1, Y1
	VPSRLQ $2, Y0, Y2
	VPADDQ Y2, Y1, Y1
	VPMULUDQ Y8, Y0, Y2
	VPSRLQ $19, Y2, Y2     // centuries
	VPSUBQ Y2, Y1, Y1
	VPSRLQ $2, Y2, Y2
	VPADDQ Y2, Y1, Y1
	VPSUBQ Y7, Y1, Y1
	VMOVDQU Y1, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT day
daysEnd:
	VZEROUPPER
	MOVQ AX, done+24(FP)
	RET
