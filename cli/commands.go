package cli

// commands is the command tree. A command is one field here and one file named after it: a struct whose
// tags are its flags and arguments, and Run(ctx context.Context, env *Env) error. Only commands that work
// are listed. CONTRIBUTING.md shows how to add one.
type commands struct {
	Help   helpFlag `short:"h" help:"Show the help of a command."`
	Config string   `placeholder:"FILE" help:"Read settings from this YAML file."`

	// The server and its settings.

	Serve     serveCmd  `cmd:"" help:"Run the services until SIGTERM or SIGINT."`
	ConfigCmd configCmd `cmd:"" name:"config" help:"Check a configuration file, or print one to start from."`

	// Identity.

	User    userCmd    `cmd:"" help:"Create, list, disable and remove users, and set their passwords."`
	Client  clientCmd  `cmd:"" help:"Register applications that sign users in, list and remove them."`
	Token   tokenCmd   `cmd:"" help:"Issue access tokens."`
	Session sessionCmd `cmd:"" help:"List where a user is signed in, and end it."`
	Audit   auditCmd   `cmd:"" help:"Show who did what to whom, the newest first."`

	// Messaging, as a client of a server.

	Channel   channelCmd   `cmd:"" help:"Make, show, change and delete channels; members, invitations, bans."`
	Item      itemCmd      `cmd:"" help:"Show, correct and delete the items of a channel."`
	Publish   publishCmd   `cmd:"" help:"Publish an item to a channel and print its id."`
	Subscribe subscribeCmd `cmd:"" help:"Show the items of channels as they come."`
	Send      sendCmd      `cmd:"" help:"Send users a message and print its id."`
	Operate   operateCmd   `cmd:"" help:"See how the server is, any channel, and where messages are. For admins."`

	// Simulation.

	Calculate  calculateCmd  `cmd:"" help:"Compute what a situation asks for."`
	Check      checkCmd      `cmd:"" help:"Load a country package and say what is wrong with it."`
	CountryCmd countryCmd    `cmd:"" name:"country" help:"Install country packages by name, list and remove them."`
	Population populationCmd `cmd:"" help:"Compute variables for a file of persons."`
	Test       testCmd       `cmd:"" help:"Run the YAML tests of a country package."`
	Openfisca  openfiscaCmd  `cmd:"" name:"openfisca" help:"Take the commands of openfisca: scripts change one word."`

	ComputePopulation computePopulationCmd `cmd:"" hidden:"" help:"Compute a population for the server that started this process."`

	// Both services together.

	Watch watchCmd `cmd:"" help:"Households that people left with the server: list them, and tell people when the law changes for them."`

	// Care of the data.

	Backup  backupCmd  `cmd:"" help:"Copy the data of a server, running or not, and the country packages installed there to a file."`
	Restore restoreCmd `cmd:"" help:"Make a backup the data of a new directory, with the packages in it."`
	Store   storeCmd   `cmd:"" help:"Copy users and messages between a data directory and PostgreSQL; have streams start anew after a restore."`

	// The program itself.

	Ready      readyCmd      `cmd:"" help:"Ask a server whether it is ready: status 0 if it is. For health checks."`
	Completion completionCmd `cmd:"" help:"Print what a shell needs to complete commands and flags."`
	Man        manCmd        `cmd:"" hidden:"" help:"Write a manual page for every command: packages are made with it."`

	Version versionCmd `cmd:"" help:"Print version, commit and Go version."`
}
