//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"syscall"
)

// kind is a population and what is asked about it.
type kind struct {
	name, variable, period string
	persons                int
	rows                   func(w io.Writer, r *rand.Rand, persons int)
	change                 string // of a parameter
}

var kinds = map[string]kind{
	"template": {"openfisca_country_template", "disposable_income", "2017-01", 1_000_000, templateRows, "benefits.basic_income=700"},
	"france":   {"openfisca_france", "revenu_disponible", "2022", 20_000, franceRows, "impot_revenu.bareme_ir_depuis_1945.bareme[1].rate=0.12"},
	"embedded": {"the embedded legislation", "revdisp", "2022", 50_000, embeddedRows, "impot_revenu.bareme.brackets[1].rate=0.12"},
}

// write makes the file; the same one each time.
func write(name string, persons int, rows func(io.Writer, *rand.Rand, int)) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	rows(w, rand.New(rand.NewPCG(1, 2)), persons)
	return errors.Join(w.Flush(), f.Close())
}

// templateRows has households of one to four, with rents and wages.
func templateRows(w io.Writer, r *rand.Rand, persons int) {
	fmt.Fprintln(w, "person_id,household_id,household_role,salary,birth,rent")
	households(r, persons, func(i, household, place int) {
		role, salary, year := "adult", r.Float64()*5000, 1950+r.IntN(50)
		if place > 1 {
			role, salary, year = "child", 0, 2001+r.IntN(15)
		}
		fmt.Fprintf(w, "%d,%d,%s,%.2f,%d-%02d-%02d,%d\n", i, household, role, salary, year, 1+r.IntN(12), 1+r.IntN(28), 300+household%900)
	})
}

// franceRows has tenants, four out of five adults with wages.
func franceRows(w io.Writer, r *rand.Rand, persons int) {
	fmt.Fprintln(w, "individu_id,menage_id,menage_role,famille_id,famille_role,foyer_fiscal_id,foyer_fiscal_role,salaire_de_base,date_naissance,loyer,statut_occupation_logement")
	roles := [][3]string{
		{"personne_de_reference", "demandeur", "declarant_principal"}, {"conjoint", "conjoint", "conjoint"},
		{"enfant", "enfant", "personne_a_charge"}, {"enfant", "enfant", "personne_a_charge"},
	}
	households(r, persons, func(i, household, place int) {
		salary, year := 0.0, 1950+r.IntN(50)
		if place > 1 {
			year = 2005 + r.IntN(16)
		} else if r.IntN(5) > 0 {
			salary = r.Float64() * 60000
		}
		as := roles[place]
		fmt.Fprintf(w, "%d,%d,%s,%d,%s,%d,%s,%.2f,%d-%02d-%02d,%d,locataire_vide\n",
			i, household, as[0], household, as[1], household, as[2], salary, year, 1+r.IntN(12), 1+r.IntN(27), 300+household%900)
	})
}

// embeddedRows has households of the embedded legislation, with names that are no numbers.
func embeddedRows(w io.Writer, r *rand.Rand, persons int) {
	fmt.Fprintln(w, "individu_id,menage_id,menage_role,famille_id,famille_role,foyer_fiscal_id,foyer_fiscal_role,salaire_imposable,date_naissance,loyer")
	roles := [][3]string{{"personne_de_reference", "parent", "declarant"}, {"conjoint", "parent", "declarant"}, {"enfant", "enfant", "personne_a_charge"}, {"enfant", "enfant", "personne_a_charge"}}
	households(r, persons, func(i, household, place int) {
		salary, year := r.Float64()*50000, 1950+r.IntN(50)
		if place > 1 {
			salary, year = 0, 2005+r.IntN(16)
		}
		as := roles[place]
		fmt.Fprintf(w, "%d,m%d,%s,f%d,%s,d%d,%s,%.2f,%d-%02d-%02d,%d\n", i, household, as[0], household, as[1], household, as[2], salary, year, 1+r.IntN(12), 1+r.IntN(28), 300+household%900)
	})
}

// households visits persons in households of one to four.
func households(r *rand.Rand, persons int, visit func(i, household, place int)) {
	for i, household := 0, 0; i < persons; household++ {
		for place := range min(1+r.IntN(4), persons-i) {
			visit(i, household, place)
			i++
		}
	}
}

// maxRSS is the most memory that a process held. Linux counts it in kilobytes.
func maxRSS(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) * 1024
}
