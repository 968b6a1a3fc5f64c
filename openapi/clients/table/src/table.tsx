/** The page /table: Catch the Ten, playable. */

import { type Card, type DealPosition, type Ruleset, type Seat, unwrap } from "catch-the-ten";
import { render } from "preact";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { addressOf, readAddress, readState, writeAddress } from "./address.ts";
import { type Board, openLink } from "./board.ts";
import { Recorder } from "./calls.ts";
import { addressOfDeal, readNames } from "./deal-record.ts";
import { type Failure, readFailure } from "./failure.ts";
import { findPrinted, findRules } from "./house-rules.ts";
import { dropGone, type KeptSeat, listSeats } from "./kept-seats.ts";
import { Live } from "./live.ts";
import { nameFor, namePlayer } from "./names.ts";
import { createClients } from "./patience.ts";
import { type Choice, FIRST_CHOICE, FIRST_STRENGTH, Solo } from "./solo.ts";
import { read, write } from "./storage.ts";
import type { DealCount, Lobby, Shown, Table } from "./table-model.ts";
import { BoardView } from "./view/board.tsx";
import { Calls } from "./view/calls.tsx";
import { Dialog } from "./view/dialog.tsx";
import { Felt, TurnUp } from "./view/felt.tsx";
import { useKeptFocus } from "./view/focus.ts";
import { Games } from "./view/games.tsx";
import { HandView } from "./view/hand.tsx";
import { Hints } from "./view/hints.tsx";
import { How, type Told } from "./view/how.tsx";
import { LobbyView, Seats } from "./view/lobby.tsx";
import { More } from "./view/more.tsx";
import { Count, ScoreBoard } from "./view/score.tsx";
import { Setup } from "./view/setup.tsx";
import { Sheet } from "./view/sheet.tsx";
import { Text } from "./view/text.tsx";
import { keepWishes, readWishes, sortHand, type Wishes } from "./wishes.ts";
import { chooseLanguage, findLanguage, type Language, say, sayCard, sayOf, speak } from "./words/words.ts";

type Panel = "none" | "setup" | "friends" | "calls" | "games" | "seats" | "more" | "how" | "sheet" | "board";

/** The path at which the rules of the game are shown over the table. */
const HOW = /\/how-to-play$/;

/** Where the browser keeps what was chosen last. */
const CHOICE = "catch-the-ten choice";

/** By deal: the counts that a window has seen, as its history keeps them when it is loaded again. */
type Seen = readonly (readonly [number, DealCount])[];

function App() {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [panel, setPanel] = useState<Panel>(() => (HOW.test(location.pathname) ? "how" : "none"));
  const [wishes, setWishes] = useState(readWishes);
  const { coach } = wishes;
  const [rulesets, setRulesets] = useState<readonly Ruleset[]>([]);
  const [choice, setChoice] = useState<Choice>(() => ({ ...FIRST_CHOICE, ...read<Choice>(CHOICE), seed: "" }));
  const [failure, setFailure] = useState<Failure>();
  /** The position over which the last trick is looked at again. */
  const [lookedBack, setLookedBack] = useState<DealPosition>();
  /** A deal that is looked at by a link, without a table. */
  const [replay, setReplay] = useState<Board>();
  const reading = useRef<Promise<readonly Ruleset[]>>();
  const table = useRef<Table>();
  /** By deal: the counts of the game that is shown. */
  const counts = useRef(new Map<number, DealCount>());
  const keptFocus = useKeptFocus();
  const { recorder, client } = useMemo(() => {
    const made = new Recorder(() => redraw(0));
    return { recorder: made, client: createClients(made) };
  }, []);

  /** Does something, and shows the text of what goes wrong; `retry` is what a new try does. */
  const act = (work: () => Promise<void> | undefined, retry = again): void => {
    setFailure(undefined);
    work()?.catch((error: unknown) => setFailure({ ...readFailure(error), retry }));
  };
  /** Asks something that changes nothing: a new try asks it again. */
  const inquire = (work: () => Promise<void> | undefined): void => act(work, () => inquire(work));

  /** Sits down at another table, and leaves the one that was shown. */
  const sitDown = <T extends Table>(next: T, seen?: Seen): T => {
    table.current?.close();
    table.current = next;
    counts.current = new Map(seen);
    setReplay(undefined);
    return next;
  };
  const changed = (): void => redraw(0);
  const playAlone = (seen?: Seen): Solo => sitDown(new Solo(client, changed), seen);
  const playLive = async (live: Live): Promise<void> => {
    history.replaceState(null, "", live.address);
    await sitDown(live).follow();
    await goOn(live, live.awaitRematch());
  };
  /** Goes on to the next game of the same people, unless one has left the table meanwhile. */
  const goOn = async (from: Live, to: Promise<Live | undefined>): Promise<void> => {
    const next = await to;
    if (next && table.current === from) await playLive(next);
    else next?.close();
  };
  /** Leaves the table that was shown, and looks at a deal by a link. */
  const lookAt = async (deal: string): Promise<void> => {
    table.current?.close();
    table.current = undefined;
    setReplay(undefined);
    setReplay(await openLink(client.patient, deal));
  };
  /** Looks at the deal that is over, and asks for that once. */
  const lookBack = async (): Promise<void> => {
    if (table.current?.shown?.board === undefined) await table.current?.review?.();
    if (table.current?.shown?.board) setPanel("board");
  };
  const choose = (chosen: Choice): void => {
    setChoice(chosen);
    write(CHOICE, chosen);
  };
  /** Reads the rulesets, once. */
  const readRulesets = async (): Promise<readonly Ruleset[]> => {
    reading.current ??= unwrap(client.GET("/v1/rulesets")).then((answer) => answer.rulesets);
    try {
      const read = await reading.current;
      setRulesets(read);
      return read;
    } catch (error) {
      reading.current = undefined;
      throw error;
    }
  };
  /** Starts another game once the service has dealt it, or opened it: until then, the one that is shown goes on. */
  const start = async (chosen: Choice): Promise<void> => {
    const { others } = chosen;
    if (others === "people") {
      const live = await Live.open(client, changed, chosen);
      act(() => playLive(live));
    } else {
      const deal = await Solo.deal(client, chosen);
      act(() => playAlone().start(deal, others));
    }
    choose(chosen);
  };
  /** Opens a table that is gone once more, for the same people. */
  const reopen = async (gone: KeptSeat): Promise<void> => {
    const again = { ...choice, ...gone.setup, others: "people" } as const;
    act(() => Live.open(client, changed, again, gone).then(playLive));
  };
  const startChosen = async (chosen: Choice): Promise<void> => {
    await start(chosen);
    setPanel("none");
  };
  const come = (): void => {
    const address = readAddress(location.hash);
    const { position, state, seat, game, friends, deal: linked } = address;
    if (friends !== undefined) setPanel("friends");
    const strength = choice.others === "people" ? FIRST_STRENGTH : choice.others;
    const at = seat === undefined ? undefined : Number(seat);
    readRulesets().catch((error: unknown) => setFailure({ ...readFailure(error), retry: again }));
    act(async () => {
      // What an address names that is damaged is refused by the service, in words to show.
      if (linked !== undefined) await lookAt(linked);
      else if (game !== undefined) await playLive(await Live.arrive(client, changed, address));
      else if (state !== undefined) {
        const read = readState(state, await readRulesets());
        await playAlone(history.state).open(read, strength, at);
      } else if (position !== undefined) await playAlone(history.state).open(position, strength, at);
      else await start({ ...choice, others: strength });
    });
  };
  function again(): void {
    if (table.current?.shown && table.current.resume) act(() => table.current?.resume?.());
    else come();
  }

  useEffect(() => {
    come();
    addEventListener("hashchange", come);
    addEventListener("online", changed);
    addEventListener("offline", changed);
    return () => {
      removeEventListener("hashchange", come);
      removeEventListener("online", changed);
      removeEventListener("offline", changed);
    };
  }, []);
  const shown = table.current?.shown;
  const lobby = table.current?.lobby;
  const mine = lobby?.mine;
  const live = table.current instanceof Live ? table.current : undefined;
  const openRematch = live?.openRematch;
  const here = shown && lobby === undefined ? writeAddress(addressOf(shown.position, shown.me, rulesets)) : undefined;
  useEffect(() => {
    if (shown?.scores !== undefined) counts.current.set(shown.position.state.deal, shown.scores);
  }, [shown?.scores]);
  useEffect(() => {
    if (here) history.replaceState([...counts.current] satisfies Seen, "", here);
  }, [here]);

  const speakNow = async (language: Language): Promise<void> => {
    await chooseLanguage(language);
    redraw(0);
  };
  /** A dialog that is closed because another panel opens leaves that one. */
  const leaveMore = (): void => setPanel((now) => (now === "more" ? "none" : now));
  const leaveHow = (): void => {
    setPanel((now) => (now === "how" ? "none" : now));
    history.replaceState(history.state, "", `table${location.hash}`);
  };
  /** Shows all deals of the game: those before this window came to it by their record. */
  const showSheet = async (): Promise<void> => {
    setPanel("sheet");
    const over = (shown?.position.state.deal ?? 1) - (shown?.position.phase === "playing" ? 1 : 0);
    if (counts.current.size >= over || table.current?.countAll === undefined) return;
    counts.current = await table.current.countAll();
    redraw(0);
  };
  /** Shows the live games at which this browser keeps a seat, without those that turn out to be gone. */
  const showGames = async (): Promise<void> => {
    setPanel("games");
    await dropGone(client);
    redraw(0);
  };
  const show = (wanted: Panel): void => (wanted === "sheet" ? act(showSheet) : setPanel(wanted));
  const wish = (change: Partial<Wishes>): void => {
    const wished = { ...wishes, ...change };
    keepWishes(wished);
    setWishes(wished);
  };
  /** Begins a first game in which a coach says what to play. */
  const learn = (): void => {
    wish({ coach: true });
    leaveHow();
    act(() => start({ ...FIRST_CHOICE, name: choice.name, others: "easy" }));
  };
  const advised = useRef<Shown["position"]>();
  useEffect(() => {
    if (!coach || !shown?.isMyTurn || advised.current === shown.position) return;
    advised.current = shown.position;
    inquire(() => table.current?.hint());
  }, [coach, shown?.isMyTurn, shown?.position]);
  const deal = (): void => act(() => table.current?.next());
  const play = (card: Card): void => act(() => table.current?.play(card));
  const [only, another] = shown?.legal ?? [];
  const click = shown?.trick.taken
    ? { label: say("felt.go_on"), act: () => table.current?.goOn() }
    : wishes.playsOnly && only && !another
      ? { label: say("felt.play", { card: sayCard(only) }), act: () => play(only) }
      : undefined;
  const mistake = table.current?.mistake;
  const gone = failure?.gone;
  /** True on a first deal, as long as nothing is taken: a coach is offered to who has never chosen. */
  const isNew =
    coach === undefined &&
    !failure &&
    !live &&
    shown?.isMyTurn &&
    shown.position.state.taken.every((all) => !all.length);
  const offers = [
    ...(isNew ? [{ label: say("coach.offer"), act: () => wish({ coach: true }) }] : []),
    ...(gone?.setup ? [{ label: say("link.reopen"), act: () => act(() => reopen(gone)) }] : []),
    ...(mine?.computer ? [{ label: say("lobby.back"), act: () => act(mine.back) }] : []),
    ...(mistake ? [{ label: say(mistake.decline ? "back.agree" : "back.ask"), act: () => act(mistake.takeBack) }] : []),
    ...(mistake?.decline ? [{ label: say("back.decline"), act: mistake.decline }] : []),
  ];
  const looksBack = shown !== undefined && lookedBack === shown.position;
  const told = tell(shown, lobby, choice, rulesets);
  const rules = told?.rules;
  const seating = lobby && {
    lobby,
    rules,
    name: choice.name,
    take: (seat: number, name: string) => {
      choose({ ...choice, name });
      if (live) act(() => goOn(live, live.take(seat, name)));
    },
    act,
    showRules: () => setPanel("how"),
  };
  /** True if one comes by the link of a table at which seats are free. */
  const isInvited = lobby?.seat === null && lobby.link !== undefined;
  const title = shown?.isMyTurn ? say("title_turn", { title: say("title") }) : say("title");
  useEffect(() => {
    document.title = title;
  }, [title]);
  const bar = (
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
        <button type="button" onClick={() => setPanel("setup")} disabled={rulesets.length === 0}>
          {say("bar.new")}
        </button>
        {listSeats().length > 0 && (
          <button type="button" onClick={() => act(showGames)}>
            {say("bar.games")}
          </button>
        )}
        {shown !== undefined && lobby !== undefined && (
          <button type="button" onClick={() => setPanel("seats")}>
            {say("bar.seats")}
          </button>
        )}
        <button type="button" onClick={() => inquire(() => table.current?.hint())} disabled={!shown?.isMyTurn}>
          {say("bar.hint")}
        </button>
        <button type="button" onClick={() => setPanel("how")}>
          {say("bar.how")}
        </button>
        <button type="button" onClick={() => setPanel("more")}>
          {say("bar.more")}
        </button>
      </nav>
    </header>
  );
  return (
    <div class={`page ${wishes.fourColors ? "four-colors" : ""} ${panel === "calls" ? "with-calls" : ""}`}>
      {bar}
      <main {...keptFocus}>
        {replay !== undefined ? (
          <div class="waiting">
            <BoardView {...showReplay(replay, rulesets)} />
            <p>
              <a href="table">{say("board.play")}</a>
            </p>
          </div>
        ) : shown === undefined || isInvited ? (
          <div class="waiting">
            {(failure !== undefined || lobby === undefined) && (
              <Text failure={failure} recorder={recorder} offers={offers} />
            )}
            {seating && <LobbyView {...seating} deal={deal} />}
          </div>
        ) : (
          <div class={`board ${shown.scores && !looksBack ? "counted" : ""}`}>
            <TurnUp
              shown={shown}
              looksBack={looksBack}
              lookBack={() => setLookedBack(looksBack ? undefined : shown.position)}
            />
            <Felt shown={looksBack ? { ...shown, trick: shown.lastTrick ?? shown.trick } : shown} click={click} />
            <ScoreBoard shown={shown} rules={rules} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
            <div class="say" tabIndex={0}>
              <Text shown={shown} failure={failure} recorder={recorder} offers={offers} />
              {shown.hints !== undefined && <Hints shown={shown} hints={shown.hints} rules={rules} />}
            </div>
            {shown.scores === undefined ? (
              <HandView shown={shown} cards={sortHand(shown.hand, wishes, shown.position.trump)} play={play} />
            ) : (
              <Count
                shown={shown}
                rules={rules}
                scores={shown.scores}
                {...(lobby === undefined || lobby.canDeal
                  ? { next: deal }
                  : { wait: sayOf("lobby.deals", lobby.dealer) })}
                again={() => setPanel("setup")}
                live={live !== undefined}
                {...(live && openRematch ? { rematch: () => act(() => goOn(live, openRematch())) } : {})}
                {...(table.current?.review ? { review: () => inquire(lookBack) } : {})}
              />
            )}
          </div>
        )}
      </main>
      {panel === "calls" && <Calls calls={recorder.calls} close={() => setPanel("none")} />}
      {panel === "more" && (
        <More
          speak={(language) => act(() => speakNow(language))}
          wishes={wishes}
          wish={wish}
          show={show}
          close={leaveMore}
        />
      )}
      {panel === "how" && <How told={told} play={live ? undefined : learn} close={leaveHow} />}
      {panel === "sheet" && shown && <Sheet shown={shown} counts={counts.current} close={() => setPanel("none")} />}
      {panel === "board" && shown?.board && (
        <Dialog label={say("board.label")} close={() => setPanel("none")}>
          <BoardView {...showBoard(shown, shown.board, choice.name, rulesets)} />
        </Dialog>
      )}
      {panel === "games" && <Games seats={listSeats()} close={() => setPanel("none")} />}
      {panel === "seats" && seating && (
        <Dialog label={say("bar.seats")} close={() => setPanel("none")}>
          <Seats {...seating} />
        </Dialog>
      )}
      {(panel === "setup" || panel === "friends") && rulesets.length > 0 && (
        <Setup
          rulesets={rulesets}
          first={chooseFirst(choice, shown, lobby !== undefined || panel === "friends")}
          close={() => setPanel("none")}
          start={startChosen}
        />
      )}
    </div>
  );
}

type BoardProps = Parameters<typeof BoardView>[0];

/** Returns what is shown of a deal to who sat at its table. */
function showBoard(shown: Shown, board: Board, own: string, rulesets: readonly Ruleset[]): BoardProps {
  const names = shown.names.map((name, seat) => (seat === shown.me && !shown.looksOn ? own : name));
  const link = linkTo(board, names);
  return { board, name: nameFor(shown), mine: !shown.looksOn, rules: findRules(board.record.rules, rulesets), link };
}

/** Returns what is shown of a deal to who comes by a link. */
function showReplay(board: Board, rulesets: readonly Ruleset[]): BoardProps {
  const names = readNames(readAddress(location.hash));
  const name = (seat: Seat): string => namePlayer({ seat, name: names[seat] || null, computer: null });
  return { board, name, mine: false, rules: findRules(board.record.rules, rulesets), link: location.href };
}

function linkTo({ record }: Board, names: readonly string[]): string {
  return new URL(writeAddress(addressOfDeal(record, names)), new URL("table", document.baseURI)).href;
}

/** Returns the rules by which is played here, or would be; undefined until they are read. */
function tell(
  shown: Shown | undefined,
  lobby: Lobby | undefined,
  choice: Choice,
  rulesets: readonly Ruleset[],
): Told | undefined {
  const given = shown?.position.state.rules ?? lobby?.rules ?? choice.rules;
  const [rules, printed] = [findRules(given, rulesets), findPrinted(given, rulesets)];
  if (rules === undefined || printed === undefined) return undefined;
  const { players, sides } = shown || !lobby ? chooseFirst(choice, shown, false) : lobby;
  return { rules, printed, players, sides };
}

/** Returns what a new game begins with: what is played now. */
function chooseFirst(choice: Choice, shown: Shown | undefined, live: boolean): Choice {
  const others = live ? "people" : choice.others;
  if (shown === undefined) return { ...choice, others, seed: "" };
  const { rules, hands, sides } = shown.position.state;
  return { ...choice, rules, players: hands.length, sides: sides.length, others, seed: "" };
}

speak(findLanguage())
  // Without the file of a language, as without a network, the page speaks English.
  .catch(() => undefined)
  .then(() => render(<App />, document.getElementById("table") as HTMLElement));

// Only a page with TLS has one; without it, the page is as it was, but does not open without the service.
navigator.serviceWorker?.register("static/table-worker.js", { scope: "table" }).catch(() => undefined);
