/** The page /table: Catch the Ten, playable. It draws a session, and does what is clicked. */

import { type ComponentChild, Fragment, render } from "preact";
import { useEffect, useMemo, useReducer } from "preact/hooks";
import { readAddress, writeAddress } from "./address.ts";
import type { Board } from "./board.ts";
import { canClaim } from "./claim.ts";
import { addressOfDeal, readNames } from "./deal-record.ts";
import { findRules } from "./house-rules.ts";
import { listSeats } from "./kept-seats.ts";
import { nameFor, namePlayers } from "./names.ts";
import { type Place, Session } from "./session.ts";
import { StreamTurns } from "./streams.ts";
import type { Shown } from "./table-model.ts";
import type { Panel } from "./table-window.ts";
import { BoardView } from "./view/board.tsx";
import { Calls } from "./view/calls.tsx";
import { Dialog } from "./view/dialog.tsx";
import { Felt, TurnUp } from "./view/felt.tsx";
import { useKeptFocus } from "./view/focus.ts";
import { ComeBack, Games } from "./view/games.tsx";
import { HandView } from "./view/hand.tsx";
import { Hints } from "./view/hints.tsx";
import { How } from "./view/how.tsx";
import { LobbyView, Seats } from "./view/lobby.tsx";
import { More } from "./view/more.tsx";
import { After, Count, Outcome, ScoreBoard } from "./view/score.tsx";
import { Setup } from "./view/setup.tsx";
import { Sheet } from "./view/sheet.tsx";
import { type Offer, Text } from "./view/text.tsx";
import { sortHand } from "./wishes.ts";
import { findLanguage, say, sayCard, speak } from "./words/words.ts";

const TURNS = new StreamTurns();
const PLACE: Place = {
  turns: TURNS,
  page: location.pathname.split("/").at(-1) ?? "",
  get hash() {
    return location.hash;
  },
  get kept() {
    return history.state;
  },
  write: (address, kept) => history.replaceState(kept, "", address),
};

function App() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const session = useMemo(() => new Session(PLACE, () => redraw(0)), []);
  const { shown, panel, wishes } = session;
  const keptFocus = useKeptFocus();
  useEffect(() => {
    session.come();
    const use = (): void => {
      if (document.visibilityState === "visible") TURNS.use();
    };
    const click = (): void => {
      session.tune();
      use();
    };
    const { come: hashchange, changed: online } = session;
    const heard = { hashchange, online, offline: online, click, focus: use, visibilitychange: use };
    for (const [event, hear] of Object.entries(heard)) addEventListener(event, hear);
    return () => {
      for (const [event, hear] of Object.entries(heard)) removeEventListener(event, hear);
    };
  }, []);
  const title = shown?.isMyTurn ? say("title_turn", { title: say("title") }) : say("title");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class={`page ${wishes.fourColors ? "four-colors" : ""} ${panel === "calls" ? "with-calls" : ""}`}>
      <Bar session={session} />
      <main {...keptFocus}>
        {shown !== undefined && !session.isInvited ? (
          <AtTable session={session} shown={shown} />
        ) : (
          <Waiting session={session} />
        )}
      </main>
      <PanelView session={session} />
    </div>
  );
}

function Bar({ session }: { session: Session }) {
  const { shown, lobby } = session;
  const isLive = shown !== undefined && lobby !== undefined;
  const buttons: readonly (readonly [label: string, isThere: boolean, act: () => void, use?: string, off?: boolean])[] =
    [
      [say("bar.new"), true, () => session.show("setup"), isLive ? "rare" : "", session.rulesets.length === 0],
      [say("bar.games"), listSeats().length > 0, () => session.show("games"), "rare"],
      [say("bar.seats"), isLive, () => session.show("seats")],
      [say("bar.hint"), true, session.hint, "", !shown?.isMyTurn],
      [say("bar.how"), true, () => session.show("how"), isLive ? "rare" : ""],
      [say("bar.more"), true, () => session.show("more")],
    ];
  return (
    <header class="bar">
      <h1>
        <a href="./">
          <span aria-hidden="true">
            10<b>♥</b>
          </span>{" "}
          {say("title")}
        </a>
      </h1>
      <nav aria-label={say("bar.table")}>
        {buttons.map(
          ([label, isThere, act, use, off]) =>
            isThere && (
              <button key={label} type="button" class={use} onClick={act} disabled={off}>
                {label}
              </button>
            ),
        )}
      </nav>
    </header>
  );
}

/** What is shown without a deal: one that is looked at by a link, what is waited for, or what went wrong. */
function Waiting({ session }: { session: Session }) {
  const { failure, lobby, table, tables } = session;
  const { board } = session.deals;
  const seating = seatingOf(session);
  if (!table && !board && !failure && tables.length > 0)
    return (
      <div class="waiting">
        <ComeBack seats={tables.map(({ kept }) => kept)} tables={tables} playAlone={session.playAlone} />
      </div>
    );
  return (
    <div class="waiting">
      {board !== undefined && (
        <>
          <BoardView {...showReplay(session, board)} />
          <p>
            <a href="table">{say("board.play")}</a>
          </p>
        </>
      )}
      {board === undefined && (failure !== undefined || lobby === undefined) && (
        <Text session={session} offers={listOffers(session)} />
      )}
      {board === undefined && seating && <LobbyView {...seating} deal={session.deal} />}
    </div>
  );
}

function AtTable({ session, shown }: { session: Session; shown: Shown }) {
  const { looksBack, wishes } = session;
  const rules = session.told?.rules;
  return (
    <div class="board" style={{ "--held": Math.max(9, shown.hand.length) }}>
      <TurnUp shown={shown} looksBack={looksBack} lookBack={session.lookBack} />
      {shown.scores && !looksBack ? (
        <Outcome shown={shown} rules={rules} scores={shown.scores} />
      ) : (
        <Felt
          shown={looksBack ? { ...shown, trick: shown.lastTrick ?? shown.trick } : shown}
          click={findClick(session, shown)}
        />
      )}
      <ScoreBoard shown={shown} rules={rules} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div class="say" tabIndex={0}>
        <Text session={session} offers={listOffers(session)} />
        {shown.hints !== undefined && <Hints shown={shown} hints={shown.hints} rules={rules} />}
      </div>
      {shown.scores !== undefined && <After session={session} shown={shown} />}
      {shown.scores === undefined && !shown.looksOn && (
        <HandView shown={shown} cards={sortHand(shown.hand, wishes, shown.position.trump)} play={session.play} />
      )}
    </div>
  );
}

/** The dialog, or the column beside the table, that is open. */
function PanelView({ session }: { session: Session }) {
  const { panel, shown, rulesets } = session;
  const seating = seatingOf(session);
  const close = (): void => session.leave(panel);
  const views: Partial<Record<Panel, () => ComponentChild>> = {
    calls: () => <Calls calls={session.recorder.calls} close={close} />,
    more: () => <More session={session} close={close} />,
    how: () => <How told={session.told} play={session.live ? undefined : session.learn} close={close} />,
    count: () =>
      shown?.scores && (
        <Dialog label={say("count.label")} close={close}>
          <Count shown={shown} rules={session.told?.rules} scores={shown.scores} />
        </Dialog>
      ),
    sheet: () => shown && <Sheet shown={shown} session={session} close={close} />,
    board: () =>
      shown &&
      session.deals.board && (
        <Dialog label={say("board.label")} close={close}>
          <BoardView {...showBoard(session, shown, session.deals.board)} />
        </Dialog>
      ),
    games: () => <Games seats={listSeats()} tables={session.tables} close={close} />,
    seats: () =>
      seating && (
        <Dialog label={say("bar.seats")} close={close}>
          {session.failure && <Text session={session} offers={[]} />}
          <Seats {...seating} />
        </Dialog>
      ),
    setup: () => <Setup rulesets={rulesets} first={first} close={close} start={session.startChosen} />,
  };
  const first = session.chooseFirst(session.lobby !== undefined || panel === "friends");
  const isSetup = panel === "setup" || panel === "friends";
  if (isSetup && rulesets.length === 0) return null;
  return <Fragment key={panel}>{views[isSetup ? "setup" : panel]?.()}</Fragment>;
}

/** Lists what one can do now but play. */
function listOffers({ isNew, failure, lobby, shown, table, told, wish, reopen, act }: Session): Offer[] {
  const gone = failure?.gone;
  const mine = lobby?.mine;
  const { claim, mistake } = table ?? {};
  const turn = shown?.position.turn ?? lobby?.seats.findIndex(({ name }) => name === lobby.dealer) ?? -1;
  const { name: who = "", standIn } = lobby?.seats[turn] ?? {};
  return [
    ...(isNew && !shown?.hints ? [{ label: say("coach.offer"), act: () => wish({ coach: true }) }] : []),
    ...(gone?.setup ? [{ label: say("link.reopen"), act: () => reopen(gone) }] : []),
    ...(mine?.computer ? [{ label: say("lobby.back"), act: () => act(mine.back) }] : []),
    ...(standIn ? [{ label: say("lobby.stand_in", { who }), act: () => act(standIn) }] : []),
    ...(claim && shown && told && canClaim(shown.position, told.rules)
      ? [{ label: say("claim.ask"), act: () => act(claim) }]
      : []),
    ...(mistake ? [{ label: say(mistake.decline ? "back.agree" : "back.ask"), act: () => act(mistake.takeBack) }] : []),
    ...(mistake?.decline ? [{ label: say("back.decline"), act: mistake.decline }] : []),
  ];
}

/** Returns what a click on the table does. */
function findClick({ table, wishes, play }: Session, { trick, legal }: Shown): Offer | undefined {
  if (trick.taken) return { label: say("felt.go_on"), act: () => table?.goOn() };
  const [only, another] = legal;
  if (!wishes.playsOnly || only === undefined || another !== undefined) return undefined;
  return { label: say("felt.play", { card: sayCard(only) }), act: () => play(only) };
}

function seatingOf({ lobby, told, choice, take, act, show }: Session) {
  return lobby && { lobby, told, name: choice.name, take, act, showRules: () => show("how") };
}

type BoardProps = Parameters<typeof BoardView>[0];

/** Returns what is shown of a deal to who sat at its table. */
function showBoard({ choice, rulesets }: Session, shown: Shown, board: Board): BoardProps {
  const names = shown.names.map((name, seat) => (seat === shown.me && !shown.looksOn ? choice.name : name));
  const link = writeAddress(addressOfDeal(board.record, names));
  return { board, name: nameFor(shown), mine: !shown.looksOn, rules: findRules(board.record.rules, rulesets), link };
}

/** Returns what is shown of a deal to who comes by a link. */
function showReplay({ rulesets }: Session, board: Board): BoardProps {
  const given = readNames(readAddress(PLACE.hash));
  const seats = board.dealt.state.hands.map((_, seat) => ({ seat, name: given[seat] || null, computer: null }));
  const name = (seat: number): string => namePlayers({ seats })[seat] ?? "";
  return { board, name, mine: false, rules: findRules(board.record.rules, rulesets), link: PLACE.hash };
}

speak(findLanguage())
  // Without the file of a language, as without a network, the page speaks English.
  .catch(() => undefined)
  .then(() => render(<App />, document.getElementById("table") as HTMLElement));

// Only a page with TLS has one; without it, the page is as it was, but does not open without the service.
navigator.serviceWorker?.register("static/table-worker.js", { scope: "table" }).catch(() => undefined);
