import type { Card } from "catch-the-ten";
import { say } from "../words/words.ts";
import { Face } from "./card.tsx";
import { Dialog } from "./dialog.tsx";

/** The honours as trumps rank, with the points of most books. */
const HONOURS: readonly (readonly [Card, number])[] = [
  ["JH", 11],
  ["AH", 4],
  ["KH", 3],
  ["QH", 2],
  ["TH", 10],
];

/** The game in two minutes: an idea, a picture, a sentence or two; and a first deal with a coach. */
export function How({ play, close }: { play: () => void; close: () => void }) {
  const offer = (
    <button type="button" class="main" onClick={play}>
      {say("how.play")}
    </button>
  );
  return (
    <Dialog label={say("bar.how")} close={close} offer={offer}>
      <article class="how">
        <h2>{say("bar.how")}</h2>
        <p>{say("how.lead")}</p>
        <h3>{say("how.trick")}</h3>
        <Trick cards={["9S", "KS", "AS", "7D"]} best="AS" />
        <p>{say("how.trick_text")}</p>
        <h3>{say("how.ten")}</h3>
        <Trick cards={["6H", "TH", "JH", "8H"]} best="JH" />
        <p>{say("how.ten_text")}</p>
        <h3>{say("how.honours")}</h3>
        <ul class="pictured">
          {HONOURS.map(([card, points]) => (
            <li key={card}>
              <Face card={card} alone />
              <b>{points}</b>
            </li>
          ))}
        </ul>
        <p>{say("how.honours_text")}</p>
        <h3>{say("how.share")}</h3>
        <p class="sum">24 − 18 = 6</p>
        <p>{say("how.share_text")}</p>
        <h3>{say("how.target")}</h3>
        <p class="sum">18 + 14 + 9 = 41</p>
        <p>{say("how.target_text")}</p>
      </article>
    </Dialog>
  );
}

/** A trick in the order played, the card that takes it marked. */
function Trick({ cards, best }: { cards: readonly Card[]; best: Card }) {
  return (
    <ul class="pictured felted">
      {cards.map((card) => (
        <li key={card} class={card === best ? "best" : ""}>
          <Face card={card} alone />
        </li>
      ))}
    </ul>
  );
}
