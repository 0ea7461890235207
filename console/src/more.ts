// What is loaded when it is needed, or a moment after the first screen: see later.tsx.

export { Now } from "./messages/now";
export { Audit } from "./screens/audit";
export { Channel } from "./screens/channel";
export { Channels } from "./screens/channels";
export { Deliveries } from "./screens/deliveries";
export { Docs, DocsPage } from "./screens/docs";
export { Live } from "./screens/live";
export { Overview } from "./screens/overview";
export { PopulationScreen } from "./screens/population";
export { Populations } from "./screens/populations";
export { RunScreen } from "./screens/run";
export { Runs } from "./screens/runs";
export { User } from "./screens/user";
export { Users } from "./screens/users";
export { Watches } from "./screens/watches";
export { WatchThis } from "./watches/this";
