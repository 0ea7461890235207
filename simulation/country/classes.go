package country

import (
	"sync"

	"edict/simulation/legislation"
	"edict/simulation/period"
	py "edict/simulation/pyeval"
)

// The classes of the objects that Go gives to Python, the same for all packages.
var (
	entityClass          = hostClass("entities", "Entity")
	enumArrayClass       = hostClass("indexed_enums", "EnumArray")
	groupEntityClass     = hostClass("entities", "GroupEntity")
	groupPopulationClass = hostClass("populations", "GroupPopulation")
	holderClass          = hostClass("holders", "Holder")
	instantClass         = hostClass("periods", "Instant")
	lawClass             = hostClass("parameters", "function")
	nodeClass            = hostClass("parameters", "ParameterNodeAtInstant")
	periodClass          = hostClass("periods", "Period")
	populationClass      = hostClass("populations", "Population")
	projectorClass       = hostClass("projectors", "Projector")
	projectedClass       = hostClass("populations", "Population", populationClass, projectorClass)
	projectedGroupClass  = hostClass("populations", "GroupPopulation", groupPopulationClass, projectorClass)
	roleClass            = hostClass("entities", "Role")
	simulationClass      = hostClass("simulations", "Simulation")
	vectorClass          = hostClass("parameters", "VectorialParameterNodeAtInstant")

	scaleLikeClass  = hostClass("taxscales", "TaxScaleLike")
	rateLikeClass   = hostClass("taxscales", "RateTaxScaleLike", scaleLikeClass)
	amountLikeClass = hostClass("taxscales", "AmountTaxScaleLike", scaleLikeClass)

	scaleClasses = [...]*py.Class{
		legislation.MarginalRate:      hostClass("taxscales", "MarginalRateTaxScale", rateLikeClass),
		legislation.LinearAverageRate: hostClass("taxscales", "LinearAverageRateTaxScale", rateLikeClass),
		legislation.MarginalAmount:    hostClass("taxscales", "MarginalAmountTaxScale", amountLikeClass),
		legislation.SingleAmount:      hostClass("taxscales", "SingleAmountTaxScale", amountLikeClass),
	}
)

func hostClass(module, name string, bases ...*py.Class) *py.Class {
	c := py.NewClass(name, nil, bases...)
	c.Module, c.Meta = "openfisca_core."+module, fixedMeta
	return c
}

// linkClasses gives the classes their constructors, which the variables above cannot: constructors
// make objects of those classes.
var linkClasses = sync.OnceFunc(func() {
	entityClass.New = makeEntity
	enumArrayClass.New, enumArrayClass.Pure = makeEnumArray, true
	groupEntityClass.New = makeGroup
	instantClass.New, instantClass.Pure = makeInstant, true
	instantClass.Set("eternity", py.Pure("eternity", func(*py.Thread, []py.Value, []py.Kw) py.Value { return instantValue(period.EternityInstant) }))
	periodClass.New, periodClass.Pure = makePeriod, true
	periodClass.Set("eternity", py.Pure("eternity", func(th *py.Thread, _ []py.Value, _ []py.Kw) py.Value { return newPeriod(th, period.Eternal) }))
	for kind, class := range scaleClasses {
		class.New, class.Meta, class.Pure = makeScale(legislation.ScaleKind(kind)), scaleMeta, true
	}
})
