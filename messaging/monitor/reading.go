package monitor

import (
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// reading is the metrics of one moment, as far as they are shown.
type reading struct {
	at       time.Time
	families map[string]*dto.MetricFamily
}

// read takes a reading.
func read(from prometheus.Gatherer, at time.Time) (reading, error) {
	all, err := from.Gather()
	r := reading{at: at, families: make(map[string]*dto.MetricFamily, len(all))}
	for _, f := range all {
		r.families[f.GetName()] = f
	}
	return r, err
}

// match is a choice of a family's metrics by one label.
type match struct {
	label string
	fits  func(value string) bool
}

func is(label string, values ...string) match {
	return match{label, func(value string) bool { return slices.Contains(values, value) }}
}

func begins(label string, prefixes ...string) match {
	return match{label, func(value string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(value, p) })
	}}
}

func labelOf(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}

// sum adds up the metrics of a family that fit; of histograms, what was observed.
func (r reading) sum(family string, fitting ...match) (total float64) {
	for _, m := range r.families[family].GetMetric() {
		if fits(m, fitting) {
			total += m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetHistogram().GetSampleSum()
		}
	}
	return total
}

// count returns how often the histograms of a family that fit were told something.
func (r reading) count(family string, fitting ...match) (total float64) {
	for _, m := range r.families[family].GetMetric() {
		if fits(m, fitting) {
			total += float64(m.GetHistogram().GetSampleCount())
		}
	}
	return total
}

// by returns the metrics of a family that fit, by the value of a label.
func (r reading) by(label, family string, fitting ...match) map[string]float64 {
	values := map[string]float64{}
	for _, m := range r.families[family].GetMetric() {
		if fits(m, fitting) {
			values[labelOf(m, label)] += m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return values
}

func fits(m *dto.Metric, fitting []match) bool {
	return !slices.ContainsFunc(fitting, func(f match) bool { return !f.fits(labelOf(m, f.label)) })
}
