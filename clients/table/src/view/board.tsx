import { type Card, PACK, type Ruleset, type Seat, suitOf } from "catch-the-ten";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Board, type BoardPlay, type BoardTrick, stepTo } from "../board.ts";
import { advise } from "../hint.ts";
import { listHonours } from "../rule-words.ts";
import { say, sayCard, sayGain, sayList, sayOf } from "../words/words.ts";
import { CardName, Face } from "./card.tsx";
import { sayBasis } from "./hints.tsx";
import { Link } from "./link.tsx";

/** Pixels that a finger goes sideways to turn to another trick. */
const SWIPE = 40;

interface Props {
  readonly board: Board;
  /** Returns who sits at a seat; undefined for oneself. */
  readonly name: (seat: Seat) => string | undefined;
  /** True if one played here oneself. */
  readonly mine: boolean;
  /** The rules in play; undefined until they are read. */
  readonly rules: Ruleset | undefined;
  readonly link: string;
}

/** A deal card by card: what could be known first, and what all hands open show behind a click. */
export function BoardView(props: Props) {
  const { board, name } = props;
  const [at, setAt] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const began = useRef<number>();
  useEffect(() => {
    const step = ({ key, target }: KeyboardEvent): void => {
      if (!(target instanceof HTMLInputElement)) setAt((now) => stepTo(key, now, board) ?? now);
    };
    addEventListener("keydown", step);
    return () => removeEventListener("keydown", step);
  }, [board]);
  const turn = (key: string): void => setAt(stepTo(key, at, board) ?? at);
  const swipe = ({ clientX }: PointerEvent): void => {
    const far = clientX - (began.current ?? clientX);
    if (Math.abs(far) > SWIPE) turn(far > 0 ? "ArrowLeft" : "ArrowRight");
  };
  const trick = board.tricks[at] as BoardTrick;
  const last = board.tricks.length - 1;
  return (
    <section class="deal-board" aria-label={say("board.label")}>
      <h2>{say("board.label")}</h2>
      <div
        class="turner"
        onPointerDown={({ clientX }) => {
          began.current = clientX;
        }}
        onPointerUp={swipe}
      >
        <Hands board={board} trick={trick} name={name} />
        <TrickView trick={trick} name={name} isOpen={isOpen} />
      </div>
      <p class="buttons steps">
        <button type="button" disabled={at === 0} aria-label={say("board.back")} onClick={() => turn("ArrowLeft")}>
          ◀
        </button>
        <span role="status">{say("board.trick", { trick: at + 1, tricks: last + 1 })}</span>
        <button type="button" disabled={at === last} aria-label={say("board.on")} onClick={() => turn("ArrowRight")}>
          ▶
        </button>
      </p>
      {board.coached && <Known {...props} go={setAt} />}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{say("board.open")}</summary>
        <Hindsight {...props} go={setAt} />
      </details>
      <Link title={say("board.link")} link={props.link} />
    </section>
  );
}

const sayWho = (name: Props["name"], seat: Seat): string => name(seat) ?? say("you");

/** The hands as they were before a trick; what was played before is struck out. */
function Hands({ board, trick, name }: Pick<Props, "board" | "name"> & { trick: BoardTrick }) {
  const gone = board.tricks.slice(0, board.tricks.indexOf(trick)).flatMap(({ plays }) => plays.map(({ card }) => card));
  const now = trick.plays.map(({ card }) => card);
  const mark = (card: Card): string => (gone.includes(card) ? "gone" : now.includes(card) ? "now" : "");
  return (
    <ul class="hands">
      {trick.hands.map((hand, seat) => (
        <li key={seat as Seat} aria-label={say("board.hand", { who: sayWho(name, seat as Seat) })}>
          <b>{sayWho(name, seat as Seat)}</b>
          <span>
            {PACK.filter((card) => Array.isArray(hand) && hand.includes(card)).map((card) => (
              <span key={card} class={`suit-${suitOf(card)} ${mark(card)}`} aria-hidden={gone.includes(card)}>
                <CardName card={card} />{" "}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A trick in the order played, with the loss on each card. */
function TrickView({ trick, name, isOpen }: Pick<Props, "name"> & { trick: BoardTrick; isOpen: boolean }) {
  return (
    <ol class="pictured felted">
      {trick.plays.map((play) => {
        const takes = play.seat === trick.winner;
        const loss = isOpen && play.hindsight.size !== "none" ? play.hindsight.points : play.lesson?.loss;
        return (
          <li key={play.card} class={takes ? "best" : ""}>
            <span class="said">
              {say(takes ? "felt.takes" : "felt.played", { who: sayWho(name, play.seat), card: sayCard(play.card) })}
            </span>
            <Face card={play.card} />
            <span class="by" aria-hidden="true">
              {sayWho(name, play.seat)}
            </span>
            {loss !== undefined && (
              <b class="loss">
                <span aria-hidden="true">−{Math.max(1, Math.round(loss))}</span>
                <span class="said">{say("board.loss", { gain: sayGain(loss) })}</span>
              </b>
            )}
          </li>
        );
      })}
    </ol>
  );
}

type Going = Props & { readonly go: (trick: number) => void };

/** Lists plays of which something is said, each with the way to its trick. */
function Told({ board, go, tell }: Going & { tell: (play: BoardPlay) => string }) {
  const told = board.tricks.flatMap(({ plays }, trick) => plays.map((play) => ({ trick, play, text: tell(play) })));
  return (
    <ul class="told">
      {told
        .filter(({ text }) => text !== "")
        .map(({ trick, play, text }) => (
          <li key={play.card}>
            <button type="button" onClick={() => go(trick)}>
              {say("board.to", { trick: trick + 1 })}
            </button>{" "}
            {text}
          </li>
        ))}
    </ul>
  );
}

/** What could be known, as the coach says it. */
function Known(props: Going) {
  const { board, name, mine, rules } = props;
  const honours = listHonours(rules, board.dealt.trump);
  const who = mine ? undefined : sayWho(name, 0);
  const tell = ({ seat, card, lesson }: BoardPlay): string => {
    if (lesson === undefined) return "";
    const { cards: better, why } = advise({ ...lesson, name, honours });
    const given = { card: sayCard(card), better, why, gain: sayGain(lesson.loss) };
    return `${sayOf("board.lesson", name(seat), given)} ${sayBasis(lesson.suggestion)}`;
  };
  const isGood = board.tricks.every(({ plays }) => plays.every(({ lesson }) => lesson === undefined));
  return (
    <>
      <h3>{sayOf("board.known", who)}</h3>
      {isGood ? <p>{sayOf("board.good", who)}</p> : <Told {...props} tell={tell} />}
    </>
  );
}

/** What all hands open show: nobody could know it. */
function Hindsight(props: Going) {
  const { board, name } = props;
  const sayPart = (points = 0): string =>
    Number.isInteger(points) ? String(points) : say("board.about", { points: Math.round(points) });
  const sayPoints = (points: readonly number[]): string =>
    sayList(
      board.record.sides.map(
        (seats, side) => `${sayList(seats.map((seat) => sayWho(name, seat)))} ${sayPart(points[side])}`,
      ),
    );
  const tell = ({ seat, card, hindsight, turns }: BoardPlay): string => {
    if (hindsight.size === "none") return "";
    const better = say("hint.the", { card: sayCard(hindsight.best) });
    const given = { card: sayCard(card), better, gain: sayGain(hindsight.points) };
    return `${sayOf("board.hindsight", name(seat), given)} ${turns ? say("board.turns") : ""}`.trim();
  };
  const plays = board.tricks.flatMap((trick) => trick.plays);
  const isGood = plays.every(({ hindsight }) => hindsight.size === "none");
  return (
    <>
      <p>{say("board.par", { par: sayPoints(board.par), made: sayPoints(board.points) })}</p>
      {isGood ? <p>{say("board.none_lost")}</p> : <Told {...props} tell={tell} />}
      {!plays.every(({ hindsight }) => hindsight.exact) && <p class="why">{say("board.estimate")}</p>}
    </>
  );
}
