package cli

// This file names settings: how a flag is called in the environment and in the file.
//
// A flag of a Config section is the same setting in every command that has it: --data is server.data and
// EDICT_DATA for serve and for all others. A flag that is a command's own is named by the command: --ttl of
// "token create" is token.create.ttl and EDICT_TOKEN_CREATE_TTL.

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

const envPrefix = "EDICT_"

// nameVariables gives every flag its environment variable.
func nameVariables(k *kong.Kong) error {
	for _, flag := range k.Model.Flags {
		if flag.Name == "config" {
			setEnv(flag, envPrefix+"CONFIG")
		}
	}
	walk(k.Model.Node, func(node *kong.Node, flag *kong.Flag) {
		if shared(flag) {
			setEnv(flag, envPrefix+flag.Name)
		} else {
			setEnv(flag, envPrefix+strings.Join(append(commandPath(node), flag.Name), "_"))
		}
	})
	return nil
}

func setEnv(flag *kong.Flag, name string) {
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	flag.Envs = []string{name}
	flag.Tag.Envs = []string{name}
}

// settingName returns the name of a flag in the file, its sections and key joined by dots.
func settingName(node *kong.Node, flag *kong.Flag) string {
	if shared(flag) {
		return flag.Group.Key + "." + strings.TrimPrefix(flag.Name, flag.Tag.Prefix)
	}
	return strings.Join(append(commandPath(node), flag.Name), ".")
}

// settings returns a flag for every setting of the model, by name in the file.
func settings(model *kong.Application) map[string]*kong.Flag {
	found := map[string]*kong.Flag{}
	walk(model.Node, func(node *kong.Node, flag *kong.Flag) { found[settingName(node, flag)] = flag })
	return found
}

// walk visits the flags of every command below node. The flags of the root say how to read the settings and
// are none themselves.
func walk(node *kong.Node, visit func(*kong.Node, *kong.Flag)) {
	for _, child := range node.Children {
		for _, flag := range child.Flags {
			visit(child, flag)
		}
		walk(child, visit)
	}
}

func shared(flag *kong.Flag) bool {
	return flag.Group != nil && slices.ContainsFunc(sections, func(s kong.Group) bool { return s.Key == flag.Group.Key })
}

func commandPath(node *kong.Node) []string {
	if node.Parent == nil {
		return nil
	}
	if node.Parent.DefaultCmd == node {
		return commandPath(node.Parent) // "population" means "population compute"
	}
	return append(commandPath(node.Parent), node.Name)
}
