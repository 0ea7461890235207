package countries

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
)

// The synthetic sample is a population for the embedded legislation that anybody may have: nobody in it exists. Its households are
// drawn from published figures about France in 2022, each by itself: what depends on what in reality (age on region, rent on
// income) is only here as far as the code below says so. It is good for trying things out, and for no statement about France.
//
// The figures:
//   - households by type, children per family, number of households: Insee, census of 2022, table FAM T1 (statistiques/8569208);
//   - ages: Insee, population of 1 January 2022 by age groups, men (Drees, structure par âge de la population);
//   - wages by decile: Insee Première 1971 for 2022 (D1, median, D9, D99); D2 to D4, D6 and D7 are those of Insee Première 1898 for
//     2020, raised as the median was; D8 lies between its neighbours;
//   - pensions: Drees, Les retraités et les retraites, edition 2024: 1 626 euros gross in the mean, three in ten below 1 000, 8 % above 3 000;
//   - owners and tenants: Insee Focus 279;
//   - rents per square metre: SDES, Chiffres clés du logement, edition 2022 (of 2013).
//
// All of it is whole numbers and one generator with a fixed seed, so that every machine makes the same sample.

// SampleHouseholds is how many households the sample has, SampleWeight how many each stands for.
const (
	SampleHouseholds = 50_000
	SampleWeight     = "618.15" // 30 907 289 households
)

// SampleLabel is what everything that is made of the sample says.
const SampleLabel = "Synthetic sample: 50 000 households drawn from published figures; nobody in it exists"

// SampleYear is the year that the sample is about.
const SampleYear = 2022

const sampleHeader = "individu_id,menage_id,menage_role,famille_id,famille_role,foyer_fiscal_id,foyer_fiscal_role,date_naissance,statut_marital,salaire_imposable,chomage_imposable,retraite_imposable,loyer,statut_occupation_logement,poids,type_menage"

// WriteSample writes the sample as CSV: a row per person, groups together and numbered.
func WriteSample(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, sampleHeader)
	s := &sampler{Rand: rand.New(rand.NewPCG(2022, 50_000)), out: out}
	for range SampleHouseholds {
		s.household()
	}
	return out.Flush()
}

// sampler draws households.
type sampler struct {
	*rand.Rand
	out                               *bufio.Writer
	person, menage, famille, declared int // numbered so far
}

// weighted is a value and how often it is drawn.
type weighted[T any] struct {
	value  T
	weight int
}

func pick[T any](s *sampler, from []weighted[T]) T {
	total := 0
	for _, w := range from {
		total += w.weight
	}
	n := s.IntN(total)
	for _, w := range from {
		if n -= w.weight; n < 0 {
			return w.value
		}
	}
	return from[len(from)-1].value
}

// householdType is who lives together.
type householdType struct {
	name     string
	couple   bool
	children bool
}

// Thousandths of the households; others without a family are two persons.
var householdTypes = []weighted[householdType]{
	{householdType{name: "personne_seule"}, 386},
	{householdType{name: "couple_sans_enfant", couple: true}, 257},
	{householdType{name: "couple_avec_enfants", couple: true, children: true}, 239},
	{householdType{name: "famille_monoparentale", children: true}, 101},
	{householdType{name: "autre"}, 17},
}

// ages are years from and to, by thousands of men.
type ages struct{ from, to int }

var adultAges = []weighted[ages]{
	{ages{20, 24}, 2018}, {ages{25, 54}, 12247}, {ages{55, 59}, 2155}, {ages{60, 64}, 1991}, {ages{65, 74}, 3532}, {ages{75, 84}, 1874}, {ages{85, 95}, 747},
}

var childAges = []weighted[ages]{{ages{0, 4}, 1822}, {ages{5, 9}, 2048}, {ages{10, 14}, 2185}, {ages{15, 19}, 2166}}

// Children per family: 1.89 of couples, 1.64 of lone parents.
var (
	childrenOfCouples = []weighted[int]{{1, 39}, {2, 40}, {3, 15}, {4, 6}}
	childrenOfLone    = []weighted[int]{{1, 54}, {2, 31}, {3, 12}, {4, 3}}
)

// tenure is how a household lives, and cents of rent per square metre.
type tenure struct {
	status string
	rent   int
}

var tenures = []weighted[tenure]{
	{tenure{"proprietaire", 0}, 37}, {tenure{"primo_accedant", 0}, 21}, {tenure{"locataire_hlm", 560}, 17}, {tenure{"locataire_vide", 880}, 19},
	{tenure{"locataire_meuble", 880}, 4}, {tenure{"loge_gratuitement", 0}, 2},
}

// monthlyWages and monthlyPensions are thousandths of the persons and what they have at most, in euros per month. Between two of them
// all amounts are as frequent.
var (
	monthlyWages    = []amount{{0, 700}, {100, 1436}, {200, 1572}, {300, 1726}, {400, 1894}, {500, 2091}, {600, 2337}, {700, 2672}, {800, 3417}, {900, 4162}, {990, 9973}, {1000, 20000}}
	monthlyPensions = []amount{{0, 300}, {300, 1000}, {500, 1480}, {920, 3000}, {1000, 5000}}
)

type amount struct{ thousandth, euros int }

func (s *sampler) amount(from []amount) int {
	at := s.IntN(1000)
	for i := 1; ; i++ {
		if a, b := from[i-1], from[i]; at < b.thousandth {
			return a.euros + (b.euros-a.euros)*(at-a.thousandth)/(b.thousandth-a.thousandth)
		}
	}
}

func (s *sampler) household() {
	s.menage++
	kind := pick(s, householdTypes)
	first := s.adultAge(kind.children)
	living := pick(s, tenures)
	size := 1
	switch {
	case kind.couple && kind.children:
		size = 2 + pick(s, childrenOfCouples)
	case kind.children:
		size = 1 + pick(s, childrenOfLone)
	case kind.couple || kind.name == "autre":
		size = 2
	}
	rent := living.rent * (35 + 15*size) / 100
	married := kind.couple && s.IntN(100) < 75
	s.famille++
	s.declared++
	s.row(kind, "personne_de_reference", "parent", "declarant", first, married, rent, living.status)
	if size == 1 {
		return
	}
	if kind.name == "autre" {
		s.famille++
		s.declared++
		s.row(kind, "autre", "parent", "declarant", s.adultAge(false), false, -1, "")
		return
	}
	if kind.couple {
		if !married {
			s.declared++
		}
		s.row(kind, "conjoint", "parent", "declarant", max(20, first-4+s.IntN(9)), married, -1, "")
		size--
	}
	for range size - 1 {
		s.row(kind, "enfant", "enfant", "personne_a_charge", s.childAge(first), false, -1, "")
	}
}

// adultAge draws the age of somebody who may have children at home.
func (s *sampler) adultAge(parent bool) int {
	for {
		between := pick(s, adultAges)
		age := between.from + s.IntN(between.to-between.from+1)
		if !parent || age >= 24 && age < 60 {
			return age
		}
	}
}

// childAge draws the age of a child whose parent was 18 at least.
func (s *sampler) childAge(parent int) int {
	for {
		between := pick(s, childAges)
		if age := between.from + s.IntN(between.to-between.from+1); age <= parent-18 {
			return age
		}
	}
}

// row writes a person. A rent of -1 is not that person's to tell.
func (s *sampler) row(kind householdType, menage, famille, foyer string, age int, married bool, rent int, status string) {
	s.person++
	wage, dole, pension := s.incomes(age, menage == "enfant")
	marital := "celibataire"
	if married {
		marital = "marie"
	}
	rents := ""
	if rent >= 0 {
		rents = fmt.Sprint(rent * 12)
	}
	fmt.Fprintf(s.out, "synthetic-%d,%d,%s,%d,%s,%d,%s,%d-%02d-%02d,%s,%d,%d,%d,%s,%s,%s,%s\n", s.person, s.menage, menage, s.famille, famille, s.declared, foyer,
		SampleYear-1-age, 1+s.IntN(12), 1+s.IntN(28), marital, wage*12, dole*12, pension*12, rents, status, SampleWeight, kind.name)
}

// incomes draws what somebody has per month: nine in ten retired from 65 on, half from 62; of the others seven in ten at work, 7 in
// a hundred out of it.
func (s *sampler) incomes(age int, child bool) (wage, dole, pension int) {
	chance := s.IntN(100)
	switch {
	case child && age < 18, child && chance >= 20:
	case age >= 65 && chance < 90, age >= 62 && age < 65 && chance < 50:
		pension = s.amount(monthlyPensions)
	case age < 65 && chance < 70:
		wage = s.amount(monthlyWages)
	case age < 65 && chance < 77:
		dole = s.amount(monthlyWages) * 57 / 100
	}
	return wage, dole, pension
}
