import { type Seat, suitSymbol } from "catch-the-ten";
import { countCards } from "../playing.ts";
import { directionOf, seatAround } from "../seating.ts";
import type { Shown } from "../table-model.ts";
import { say, sayCard, saySuit } from "../words/words.ts";
import { Back, CardName, Face } from "./card.tsx";
import { Countdown } from "./countdown.tsx";
import type { Offer } from "./text.tsx";

/**
 * The table: the seats around it, the trick in the middle. No card of the trick leaves its place between them.
 *
 * `click` is what a click on the table does now.
 */
export function Felt({ shown, click }: { shown: Shown; click: Offer | undefined }) {
  const players = shown.position.state.hands.length;
  const to = directionOf(shown.trick.winner ?? shown.me, shown.me, players);
  return (
    <section class="felt" aria-label={say("bar.table")}>
      {Object.entries(seatAround(shown.me, players)).map(([rim, seats]) => (
        <div key={rim} class={`rim ${rim}`} style={{ "grid-area": rim }}>
          {seats.map((seat: Seat) => (
            <SeatView key={seat} shown={shown} seat={seat} />
          ))}
        </div>
      ))}
      <ol class={`trick ${players > 5 ? "many" : ""}`} aria-label={say("felt.trick")}>
        {shown.trick.cards.map(({ seat, card }) => {
          const { x, y } = directionOf(seat, shown.me, players);
          const best = shown.trick.winner === seat;
          return (
            <li
              key={card}
              class={`played ${best ? "best" : ""} ${shown.trick.taken ? "taken" : ""}`}
              style={{ "--x": x, "--y": y, "z-index": Math.round(10 + 9 * y), "--to-x": to.x, "--to-y": to.y }}
            >
              <span class="said">
                {say(best ? (shown.trick.taken ? "felt.takes" : "felt.winning") : "felt.played", {
                  who: shown.names[seat] ?? "",
                  card: sayCard(card),
                })}
              </span>
              <Face card={card} />
            </li>
          );
        })}
      </ol>
      <div class="rim" style={{ "grid-area": "me" }}>
        <SeatView shown={shown} seat={shown.me} />
      </div>
      {click && <button type="button" class="go-on" aria-label={click.label} onClick={click.act} />}
    </section>
  );
}

export function SeatView({ shown, seat }: { shown: Shown; seat: Seat }) {
  const { state, turn, phase } = shown.position;
  const side = state.sides.findIndex((seats) => seats.includes(seat));
  const left = countCards(state.hands[seat]);
  const isTurn = phase === "playing" && turn === seat && !shown.trick.taken;
  const name = shown.names[seat] ?? "";
  const sits = shown.sits[seat] ?? "you";
  const said = [
    phase === "playing" ? say("felt.cards", { number: left }) : "",
    isTurn ? say("felt.to_play") : "",
    sits === "you" ? "" : say(`sits.${sits}`),
  ];
  return (
    <div class={`seat side-${side} ${isTurn ? "turn" : ""} ${seat === shown.me ? "me" : ""}`}>
      {(seat !== shown.me || shown.looksOn) && (
        <div class="backs" aria-hidden="true">
          {Array.from({ length: Math.min(left, 9) }, (_, card) => (
            <Back key={card} />
          ))}
        </div>
      )}
      <p class="name">
        <b title={name}>{name}</b>
        <span class="about">
          {state.dealer === seat && <abbr title={say("felt.dealer")}>{say("felt.dealer").charAt(0)}</abbr>}
          {sits === "computer" && (
            <abbr title={say("sits.computer")}>{say("sits.computer").charAt(0).toUpperCase()}</abbr>
          )}
          {sits !== "you" && sits !== "computer" && <span class={`presence ${sits}`} title={say(`sits.${sits}`)} />}
          {isTurn && shown.timeLeft && <Countdown timeLeft={shown.timeLeft} />}
          {phase === "playing" && <span aria-hidden="true">{left}</span>}
          <span class="said">{said.filter((part) => part !== "").join(", ")}</span>
        </span>
      </p>
    </div>
  );
}

/** The card that was turned up, the suit that is trump by it, and the way back to the last trick. */
export function TurnUp({ shown, looksBack, lookBack }: { shown: Shown; looksBack: boolean; lookBack: () => void }) {
  const { state, trump } = shown.position;
  return (
    <figure class="turn-up">
      <span class={`trump suit-${trump}`} aria-hidden="true">
        {suitSymbol(trump)}
      </span>
      <figcaption>
        <b>{say("felt.trumps", { suit: saySuit(trump) })}</b>
        <br />
        {say("felt.turned_up")} <CardName card={state.turn_up} />
      </figcaption>
      <button type="button" aria-pressed={looksBack} disabled={!shown.lastTrick} onClick={lookBack}>
        {say("felt.last_trick")}
      </button>
    </figure>
  );
}
