import { cardName, type Hand, type Seat, suitName, suitSymbol } from "catch-the-ten";
import { placePlayed, placeSeat } from "../seating.ts";
import type { Shown } from "../table-model.ts";
import { Back, CardName, Face } from "./card.tsx";

const size = (hand: Hand): number => (Array.isArray(hand) ? hand.length : hand);

/** The table: the seats around it, the trick in the middle, the turn-up. */
export function Felt({ shown }: { shown: Shown }) {
  const { state } = shown.position;
  return (
    <section class="felt" aria-label="Table">
      {state.hands.map((_, seat) => (
        <SeatView key={seat} shown={shown} seat={seat} />
      ))}
      <ol class="trick" aria-label="Trick">
        {shown.trick.cards.map(({ seat, card }) => {
          const { x, y } = placePlayed(seat, shown.me, state.hands.length);
          const best = shown.trick.winner === seat;
          return (
            <li
              key={card}
              class={`played ${best ? "best" : ""} ${shown.trick.taken ? "taken" : ""}`}
              style={{ "--x": `${x}%`, "--y": `${y}%` }}
            >
              <span class="said">
                {shown.names[seat]}: {cardName(card)}
                {best ? (shown.trick.taken ? ", takes the trick" : ", winning") : ""}
              </span>
              <Face card={card} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function SeatView({ shown, seat }: { shown: Shown; seat: Seat }) {
  const { state, turn, phase } = shown.position;
  const { x, y } = placeSeat(seat, shown.me, state.hands.length);
  const side = state.sides.findIndex((seats) => seats.includes(seat));
  const left = size(state.hands[seat] ?? 0);
  const isTurn = phase === "playing" && turn === seat && !shown.trick.taken;
  const name = shown.names[seat] ?? "";
  return (
    <div
      class={`seat side-${side} ${isTurn ? "turn" : ""} ${seat === shown.me ? "me" : ""}`}
      style={{ "--x": `${x}%`, "--y": `${y}%` }}
    >
      {seat !== shown.me && (
        <div class="backs" aria-hidden="true">
          {Array.from({ length: Math.min(left, 9) }, (_, card) => (
            <Back key={card} />
          ))}
        </div>
      )}
      <p class="name">
        <b>{name}</b>
        <span class="about">
          {/* As the texts of the service count the seats. */}
          {!name.endsWith(` ${seat}`) && `seat ${seat} · `}
          {state.dealer === seat && <abbr title="Dealer">D</abbr>}
          <span class="said">side {side}, </span>
          {left} <span class="said">cards left</span>
          {isTurn && <span class="said">, to play</span>}
        </span>
      </p>
    </div>
  );
}

/** The card that was turned up, and the suit that is trump by it. */
export function TurnUp({ shown }: { shown: Shown }) {
  const { state, trump } = shown.position;
  return (
    <figure class="turn-up">
      <span class={`trump suit-${trump}`} aria-hidden="true">
        {suitSymbol(trump)}
      </span>
      <figcaption>
        <b>{suitName(trump)}</b> are trumps
        <br />
        turned up: <CardName card={state.turn_up} />
      </figcaption>
    </figure>
  );
}
