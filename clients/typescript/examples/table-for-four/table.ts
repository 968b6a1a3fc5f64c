// A table for four, each at a screen of their own: the player who opens it sends the others their links.
import {
  type Card,
  cardName,
  cardText,
  createClient,
  type Game,
  isRed,
  joinGame,
  openGame,
  trickOf,
} from "catch-the-ten";

const client = createClient({ baseUrl: new URLSearchParams(location.search).get("service") ?? "" });
const find = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const say = (id: string, text: string): void => find(id).replaceChildren(text);

// Every error of the package has a text to show; for an illegal card it names the rule.
addEventListener("unhandledrejection", ({ reason }) => say("problem", reason.message));

function makeButton(game: Game, card: Card): HTMLElement {
  const button = Object.assign(document.createElement("button"), {
    textContent: cardText(card),
    title: cardName(card),
  });
  button.classList.toggle("red", isRed(card));
  button.classList.toggle("dim", game.isMyTurn && !game.legalCards.includes(card));
  button.onclick = async () => {
    say("problem", "");
    await game.play(card);
  };
  return button;
}

function draw(game: Game): void {
  const { phase, position, dealer } = game.state;
  const nameOf = (seat: number): string => (seat === game.seat ? "You" : `Seat ${seat}`);
  const turn = position?.turn ?? null;
  say("turn", turn === null ? `${nameOf(dealer)} to deal.` : `${nameOf(turn)} to play.`);
  find("deal").hidden = !game.isMyDeal;
  find("hand").replaceChildren(...game.hand.map((card) => makeButton(game, card)));
  if (!position) return;
  const { state, totals, winners } = position;
  const trick = trickOf(state).map(({ seat, card }) => `${nameOf(seat)}: ${cardText(card)}`);
  say("trick", `Turned up: ${cardText(state.turn_up)}. ${trick.join(", ")}`);
  say("score", totals.map((points, side) => `Side ${side}: ${points}`).join(", "));
  if (phase === "game_over") say("turn", `Side ${winners.join(" and ")} wins.`);
}

async function open(): Promise<void> {
  const { id, seats } = await openGame(client, { rules: "trebor", players: 4 });
  for (const { seat, token } of seats) {
    const link = document.createElement("a");
    Object.assign(link, { textContent: `Seat ${seat}`, href: `#${id}/${token}`, target: "_blank" });
    find("links").append(link, " ");
  }
}

async function sit(id: string, token: string): Promise<void> {
  const game = await joinGame(client, { id, token });
  find("deal").onclick = () => game.deal();
  const onConnection = (connected: boolean) => say("problem", connected ? "" : "The connection is lost.");
  for await (const _ of game.changes({ onConnection })) draw(game);
}

const [, id, token] = /^#([\w-]+)\/([\w-]+)$/.exec(location.hash) ?? [];
find("open").hidden = id !== undefined;
find("open").onclick = open;
if (id && token) sit(id, token);
