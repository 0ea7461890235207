package country

import (
	"context"
	"sync"
	"unsafe"

	"edict/simulation/image"
	"edict/simulation/legislation"
	py "edict/simulation/pyeval"
	"edict/simulation/pyeval/numpy"
	"edict/simulation/pyeval/stdlib"
)

// picture is what loading a package made, as an image holds it.
type picture struct {
	Program  *py.Image
	System   *legislation.System
	Reforms  []Reform
	Warnings legislation.Problems

	names                    *legislation.Names
	object                   *py.Instance
	patches                  patches
	nep50                    bool
	policy, carries, derives bool
	items                    map[legislation.ParameterItem]*parameterObject
	lines                    map[string]map[string]int
}

// codec is how pictures of the package are written and read.
func (c *core) codec() *image.Codec {
	k := image.New(picture{})
	c.program.DescribeTo(k)
	stdlib.DescribeTo(k)
	numpy.DescribeTo(k)
	legislation.DescribeTo(k)
	k.Zero(sync.Mutex{}, sync.RWMutex{}, sync.Once{})
	k.Hold(c, (*member)(nil), (*enumeration)(nil), (*formula)(nil), (*parameterObject)(nil), (*entityObject)(nil), (*draft)(nil), (*legislation.Builder)(nil), instantObject{},
		(*ownParameter)(nil), (*roleObject)(nil), (*datedValue)(nil), (*childrenObject)(nil), plainPeriod{}, (*scaleObject)(nil), (*systemObject)(nil), (*variableObject)(nil), (*variablesObject)(nil))
	return k
}

// outside names what both sides have.
func (c *core) outside() (image.Outside, image.Named) {
	return c.program.Natives(map[string]unsafe.Pointer{
		"core":           unsafe.Pointer(c),
		"childrenClass":  unsafe.Pointer(c.childrenClass),
		"systemClass":    unsafe.Pointer(c.systemClass),
		"variablesClass": unsafe.Pointer(c.variablesClass),
	})
}

// write makes an image of a package that was loaded.
func (p *Package) write(packed func(file string) (string, bool)) ([]byte, []string, error) {
	c := p.core
	program, err := c.program.Image(packed)
	if err != nil {
		return nil, nil, err
	}
	defer program.Written()
	outside, _ := c.outside()
	data, err := c.codec().Write(&picture{
		Program: program, System: p.System, Reforms: p.Reforms, Warnings: p.Warnings,
		names: c.names, nep50: c.options.NEP50, object: c.object, patches: c.patches, policy: c.policy, carries: c.carries, derives: c.derives, items: c.items, lines: c.lines,
	}, outside)
	return data, program.Tables, err
}

// read makes the package that an image holds.
func (p *Package) read(ctx context.Context, data string, tables []string) error {
	c := p.core
	th := c.program.NewThread(ctx, c.options.whileLoading())
	th.Local = c
	c.findValueTypes(th)
	if err := th.LoadTables(tables); err != nil {
		return err
	}
	_, named := c.outside()
	var made picture
	if err := c.codec().Read(data, &made, named); err != nil {
		return err
	}
	c.program.Restore(made.Program)
	p.System, p.Reforms, p.Warnings = made.System, made.Reforms, made.Warnings
	c.names, c.object, c.patches, c.policy, c.carries, c.derives = made.names, made.object, made.patches, made.policy, made.carries, made.derives
	c.items, c.lines, c.options.NEP50, c.program.NEP50 = made.items, made.lines, made.nep50, made.nep50
	return nil
}
