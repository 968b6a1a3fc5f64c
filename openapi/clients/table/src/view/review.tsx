import type { AnalyzedDeal, AnalyzedPlay } from "catch-the-ten";
import { nameFor, nameSide } from "../names.ts";
import type { Shown } from "../table-model.ts";
import { say, sayCard, sayList, sayNumber, sayOf } from "../words/words.ts";

/** Where the deal was lost: what each side gave away, one's own plays that lost something, where the deal turned. */
export function Review({ shown, analyzed }: { shown: Shown; analyzed: AnalyzedDeal }) {
  const { plays, turning_points: turning, losses } = analyzed;
  const own = plays.filter(({ seat }) => seat === shown.me && !shown.looksOn);
  const told = plays.flatMap((play, index) => {
    const mine = own.includes(play) ? sayLoss(play, own.indexOf(play) + 1) : "";
    const turned = turning.includes(index)
      ? sayOf("review.turned", nameFor(shown)(play.seat), { card: sayCard(play.card) })
      : "";
    return mine || turned ? [{ index, text: `${mine} ${turned}`.trim() }] : [];
  });
  const given = losses.map(({ all_hands }, side) => `${nameSide(shown, side)} ${sayNumber(all_hands)}`);
  return (
    <div class="review">
      <p>{say("review.given", { sides: sayList(given) })}</p>
      {told.length === 0 && <p>{say("review.none")}</p>}
      <ol aria-label={say("review.label")}>
        {told.map(({ index, text }) => (
          <li key={index}>{text}</li>
        ))}
      </ol>
      {!plays.every(({ all_hands }) => all_hands.exact) && <p class="why">{say("review.estimate")}</p>}
    </div>
  );
}

/** Says what a play lost, seeing all hands, or only by what its seat could see; "" if it lost nothing. */
function sayLoss({ card, all_hands: all, own_hand: seen }: AnalyzedPlay, turn: number): string {
  const loss = all.size === "none" ? seen : all;
  if (loss.size === "none") return "";
  const told = { turn, better: say("hint.the", { card: sayCard(loss.best) }), card: sayCard(card) };
  if (all.size === "none") return say("review.lucky", told);
  const could = say(seen.size === "none" ? "review.unseen" : "review.seen");
  return `${say("review.play", { ...told, gain: sayNumber(all.points) })} ${could}`;
}
