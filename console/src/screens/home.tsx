import { runs } from "../about";
import { text } from "../text";

export function Home() {
  return (
    <section class="page">
      <h1>{text("home.title")}</h1>
      <p class="lead">{text(runs("simulation") ? (runs("messaging") ? "home.leadBoth" : "home.leadSimulation") : "home.leadMessaging")}</p>
    </section>
  );
}
