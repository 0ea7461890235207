package cli

// commands is the command tree. A command is one field here and one file named after it: a struct whose
// tags are its flags and arguments, and Run(ctx context.Context, env *Env) error. Only commands that work
// are listed. CONTRIBUTING.md shows how to add one.
type commands struct {
	Help   helpFlag `short:"h" help:"Show the help of a command."`
	Config string   `placeholder:"FILE" help:"Read settings from this YAML file."`

	// The server and its settings.

	Serve     serveCmd  `cmd:"" group:"commands.server" help:"Run the services until SIGTERM or SIGINT."`
	ConfigCmd configCmd `cmd:"" group:"commands.server" name:"config" help:"Check a configuration file, or print one to start from."`
	Ready     readyCmd  `cmd:"" group:"commands.server" help:"Check that a server is ready: status 0 if it is. For health checks."`

	// Identity.

	User    userCmd    `cmd:"" group:"commands.identity" help:"Create, list, disable and remove users, and set their passwords."`
	Client  clientCmd  `cmd:"" group:"commands.identity" help:"Register applications that sign users in, list and remove them."`
	Token   tokenCmd   `cmd:"" group:"commands.identity" help:"Issue access tokens."`
	Session sessionCmd `cmd:"" group:"commands.identity" help:"List where a user is signed in, and end it."`
	Audit   auditCmd   `cmd:"" group:"commands.identity" help:"Show who did what to whom, the newest first."`

	// Messaging, as a client of a server.

	Channel   channelCmd   `cmd:"" group:"commands.messaging" help:"Make, show, change and delete channels; members, invitations, bans."`
	Item      itemCmd      `cmd:"" group:"commands.messaging" help:"Show, correct and delete the items of a channel."`
	Publish   publishCmd   `cmd:"" group:"commands.messaging" help:"Publish an item to a channel and print its id."`
	Subscribe subscribeCmd `cmd:"" group:"commands.messaging" help:"Show the items of channels as they come."`
	Send      sendCmd      `cmd:"" group:"commands.messaging" help:"Send users a message and print its id."`
	Admin     adminCmd     `cmd:"" group:"commands.messaging" help:"See how the server is, any channel, and where messages are. For admins."`

	// Simulation.

	Calculate  calculateCmd  `cmd:"" group:"commands.simulation" help:"Compute what a situation asks for."`
	Check      checkCmd      `cmd:"" group:"commands.simulation" help:"Load a country package and say what is wrong with it."`
	CountryCmd countryCmd    `cmd:"" group:"commands.simulation" name:"country" help:"Install country packages by name, list and remove them."`
	Population populationCmd `cmd:"" group:"commands.simulation" help:"Compute variables for a file of persons."`
	Test       testCmd       `cmd:"" group:"commands.simulation" help:"Run the YAML tests of a country package."`
	Openfisca  openfiscaCmd  `cmd:"" group:"commands.simulation" name:"openfisca" help:"Take the commands of openfisca: scripts change one word."`

	ComputePopulation computePopulationCmd `cmd:"" hidden:"" help:"Compute a population for the server that started this process."`

	// Both services together.

	Watch watchCmd `cmd:"" group:"commands.watch" help:"Households that people left with the server: list them, and tell people when the law changes for them."`

	// Care of the data.

	Backup  backupCmd  `cmd:"" group:"commands.data" help:"Copy the data of a server, running or not, and the country packages installed there to a file."`
	Restore restoreCmd `cmd:"" group:"commands.data" help:"Make a backup the data of a new directory, with the packages in it."`
	Store   storeCmd   `cmd:"" group:"commands.data" help:"Copy users and messages between a data directory and PostgreSQL; have streams start anew after a restore."`

	// The program itself.

	HelpCmd    helpCmd       `cmd:"" group:"commands.program" name:"help" help:"Show the help of a command, or list all commands."`
	Completion completionCmd `cmd:"" group:"commands.program" help:"Print what a shell needs to complete commands and flags."`
	Man        manCmd        `cmd:"" hidden:"" help:"Write a manual page for every command: packages are made with it."`

	Version versionCmd `cmd:"" group:"commands.program" help:"Print version, commit and Go version."`
}
