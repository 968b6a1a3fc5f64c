/** What one does in a window: sits down, opens tables, goes on from one to the next, looks at panels. It draws nothing. */

import { type Card, type DealPosition, type Ruleset, unwrap } from "catch-the-ten";
import { type Address, addressOf, readAddress, readState, writeAddress } from "./address.ts";
import { type Board, openBoard, openLink } from "./board.ts";
import { Recorder } from "./calls.ts";
import { Clock } from "./clock.ts";
import { type Failure, NoRecord, readFailure } from "./failure.ts";
import { findPrinted, findRules } from "./house-rules.ts";
import { dropGone, type KeptSeat } from "./kept-seats.ts";
import { Live } from "./live.ts";
import { createClients, type PageClient } from "./patience.ts";
import { type Choice, FIRST_CHOICE, FIRST_STRENGTH, Solo } from "./solo.ts";
import { ring, tune } from "./sound.ts";
import { read, write } from "./storage.ts";
import type { DealCount, Lobby, Shown, Table } from "./table-model.ts";
import { keepWishes, readWishes, type Wishes } from "./wishes.ts";
import { chooseLanguage, type Language } from "./words/words.ts";

export type Panel = "none" | "setup" | "friends" | "calls" | "games" | "seats" | "more" | "how" | "sheet" | "board";

/** The address of a window, and what its history keeps with it. */
export interface Place {
  /** The last part of the path. */
  readonly page: string;
  readonly hash: string;
  readonly kept: unknown;
  write(address: string, kept: unknown): void;
}

/** A table whose rules are told. */
export interface Told {
  readonly rules: Ruleset;
  /** The printed rules that they are, or were before something was changed. */
  readonly printed: Ruleset;
  readonly players: number;
  readonly sides: number;
}

/** The page at which the rules of the game are shown over the table. */
const HOW = "how-to-play";

/** Where the browser keeps what was chosen last. */
const CHOICE = "catch-the-ten choice";

/** By deal: the counts that a window has seen, as its history keeps them when it is loaded again. */
type Seen = readonly (readonly [number, DealCount])[];

export class Session {
  panel: Panel;
  wishes = readWishes();
  rulesets: readonly Ruleset[] = [];
  choice: Choice = { ...FIRST_CHOICE, ...read<Choice>(CHOICE), seed: "" };
  failure: Failure | undefined;
  table: Table | undefined;
  /** A deal that was looked at last: of the table, or by a link, without a table. */
  board: Board | undefined;
  /** True while a deal is played back. */
  isLooking = false;
  /** By deal: the counts of the game that is shown. */
  counts = new Map<number, DealCount>();
  /** The position over which the last trick is looked at again. */
  lookedBack: DealPosition | undefined;
  readonly recorder: Recorder;
  readonly #client: PageClient;
  readonly #clock: Clock;
  readonly #place: Place;
  readonly #draw: () => void;
  #reading: Promise<readonly Ruleset[]> | undefined;
  /** The address of the position that is shown. */
  #here: string | undefined;
  /** The address to which one came last. */
  #address: Address | undefined;
  /** The position for which the coach was asked last. */
  #advised: DealPosition | undefined;
  /** The cards on the table and those taken when it was one's turn last. */
  #turn = "";

  constructor(place: Place, draw: () => void, baseUrl = "", clock = new Clock()) {
    this.#place = place;
    this.#draw = draw;
    this.#clock = clock;
    this.recorder = new Recorder(draw, clock);
    this.#client = createClients(this.recorder, clock, baseUrl);
    this.panel = place.page === HOW ? "how" : "none";
  }

  get shown(): Shown | undefined {
    return this.table?.shown;
  }

  get lobby(): Lobby | undefined {
    return this.table?.lobby;
  }

  get live(): Live | undefined {
    return this.table instanceof Live ? this.table : undefined;
  }

  /** True if one comes by the link of a table at which seats are free. */
  get isInvited(): boolean {
    return this.lobby?.seat === null && this.lobby.link !== undefined;
  }

  /** True while the last trick is looked at again. */
  get looksBack(): boolean {
    return this.shown !== undefined && this.lookedBack === this.shown.position;
  }

  /** True on a first deal, as long as nothing is taken: a coach is offered to who has never chosen. */
  get isNew(): boolean {
    const { shown } = this;
    if (this.wishes.coach !== undefined || this.failure || this.live || !shown?.isMyTurn) return false;
    return shown.position.state.taken.every((cards) => cards.length === 0);
  }

  /** The rules by which is played here, or would be; undefined until they are read. */
  get told(): Told | undefined {
    const { shown, lobby } = this;
    const given = shown?.position.state.rules ?? lobby?.rules ?? this.chooseFirst(false).rules;
    const [rules, printed] = [findRules(given, this.rulesets), findPrinted(given, this.rulesets)];
    if (rules === undefined || printed === undefined) return undefined;
    const { players, sides } = shown || !lobby ? this.chooseFirst(false) : lobby;
    return { rules, printed, players, sides };
  }

  /** Returns what a new game begins with: what is played now. */
  chooseFirst(live: boolean): Choice {
    const first = { ...this.#withRules(this.choice), ...(live && { others: "people" as const }), seed: "" };
    if (this.shown === undefined) return first;
    const { rules, hands, sides } = this.shown.position.state;
    return { ...first, rules, players: hands.length, sides: sides.length };
  }

  /** Draws what has changed, keeps its address, and asks the coach. */
  readonly changed = (): void => {
    const { shown } = this;
    if (shown?.scores !== undefined) this.counts.set(shown.position.state.deal, shown.scores);
    const here =
      shown && this.lobby === undefined ? writeAddress(addressOf(shown.position, shown.me, this.rulesets)) : undefined;
    if (here && here !== this.#here) this.#place.write(here, [...this.counts] satisfies Seen);
    this.#here = here;
    if (this.wishes.coach && shown?.isMyTurn && this.#advised !== shown.position) {
      this.#advised = shown.position;
      this.#clock.ticks.later(this.hint, 0); // once the table has done what it is about
    }
    this.#announce();
    this.#draw();
  };

  /** Sounds once when it is one's turn, for who wishes that. */
  #announce(): void {
    if (!this.shown?.isMyTurn) return;
    const { deal, trick, taken } = this.shown.position.state;
    const turn = String([deal, trick, taken]);
    if (this.wishes.sound && turn !== this.#turn) ring();
    this.#turn = turn;
  }

  /** Gets ready to sound, in a click. */
  readonly tune = (): void => {
    if (this.wishes.sound) tune();
  };

  #set(
    change: Partial<
      Pick<Session, "panel" | "wishes" | "rulesets" | "choice" | "failure" | "board" | "isLooking" | "lookedBack">
    >,
  ) {
    Object.assign(this, change);
    this.changed();
  }

  /** Does something, and shows the text of what goes wrong; `retry` is what a new try does. */
  readonly act = (work: () => Promise<void> | undefined, retry = this.again): void => {
    this.#set({ failure: undefined });
    work()?.catch((error: unknown) => this.#fail(error, retry));
  };

  /** Asks something that changes nothing: a new try asks it again. */
  #inquire(work: () => Promise<void> | undefined): void {
    this.act(work, () => this.#inquire(work));
  }

  #fail(error: unknown, retry = this.again): void {
    this.#set({ failure: { ...readFailure(error), retry } });
  }

  readonly again = (): void => {
    if (this.shown && this.table?.resume) this.act(() => this.table?.resume?.());
    else this.come();
  };

  /** Comes to where the address leads. */
  readonly come = (): void => {
    const address = readAddress(this.#place.hash);
    if (address.friends !== undefined) this.show("friends");
    this.#readRulesets().catch((error: unknown) => this.#fail(error));
    this.act(() => this.#arrive(address));
  };

  // What an address names that is damaged is refused by the service, in words to show.
  async #arrive(address: Address): Promise<void> {
    this.#address = address;
    const { position, state, seat, game, deal } = address;
    const strength = this.choice.others === "people" ? FIRST_STRENGTH : this.choice.others;
    if (deal !== undefined) return this.#lookAt(deal);
    if (game !== undefined) return this.#arriveLive(address);
    const given = state === undefined ? position : readState(state, await this.#readRulesets());
    if (given === undefined) return this.#start({ ...this.choice, others: strength });
    const seen = this.#place.kept as Seen | null;
    return this.#playAlone(seen).open(given, strength, seat === undefined ? undefined : Number(seat));
  }

  /** Comes to a live game, unless one has come to another address meanwhile. */
  async #arriveLive(address: Address): Promise<void> {
    const live = await Live.arrive(this.#client, this.changed, address);
    if (this.#address === address) await this.#playLive(live);
    else live.close();
  }

  /** Sits down at another table, and leaves the one that was shown. */
  #sitDown<T extends Table | undefined>(next: T, seen?: Seen | null): T {
    this.table?.close();
    this.table = next;
    this.counts = new Map(seen);
    this.#set({ board: undefined, isLooking: false });
    return next;
  }

  #playAlone(seen?: Seen | null): Solo {
    return this.#sitDown(new Solo(this.#client, this.changed), seen);
  }

  async #playLive(live: Live): Promise<void> {
    this.#place.write(live.address, null);
    await this.#sitDown(live).follow();
    await this.#goOn(live, live.awaitRematch());
  }

  /** Goes on to the next game of the same people, unless one has left the table meanwhile. */
  async #goOn(from: Live, to: Promise<Live | undefined>): Promise<void> {
    const next = await to;
    if (next && this.table === from) await this.#playLive(next);
    else next?.close();
  }

  /** Sits down at a seat that was taken, also if the link of a game that is over has led on to the next one meanwhile. */
  async #sitDownTaken(from: Live, to: Promise<Live>): Promise<void> {
    const taken = await to;
    if (this.table === from || this.live?.id === taken.id) await this.#playLive(taken);
    else taken.close();
  }

  /** Leaves the table that was shown, and looks at a deal by a link. */
  async #lookAt(deal: string): Promise<void> {
    this.#sitDown(undefined);
    this.#set({ board: await openLink(this.#client.patient, deal) });
  }

  #choose(choice: Choice): void {
    write(CHOICE, choice);
    this.#set({ choice });
  }

  /** Reads the rulesets, once. */
  async #readRulesets(): Promise<readonly Ruleset[]> {
    this.#reading ??= unwrap(this.#client.GET("/v1/rulesets")).then((answer) => answer.rulesets);
    try {
      this.#set({ rulesets: await this.#reading });
      return this.rulesets;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }

  /** Returns a choice with rules: until one has chosen, the first by which so many players usually make so many sides. */
  #withRules(choice: Choice): Choice {
    const usual = this.rulesets.find(({ tables }) =>
      tables.some(({ players, sides }) => players === choice.players && sides[0] === choice.sides),
    );
    return { ...choice, rules: choice.rules || ((usual?.id ?? "") as Choice["rules"]) };
  }

  /** Starts another game once the service has dealt it, or opened it: until then, the one that is shown goes on. */
  async #start(wanted: Choice): Promise<void> {
    if (!wanted.rules) await this.#readRulesets();
    const chosen = this.#withRules(wanted);
    const { others } = chosen;
    if (others === "people") {
      const live = await Live.open(this.#client, this.changed, chosen);
      this.act(() => this.#playLive(live));
    } else {
      const deal = await Solo.deal(this.#client, chosen);
      this.act(() => this.#playAlone().start(deal, others));
    }
    this.#choose(chosen);
  }

  readonly startChosen = async (chosen: Choice): Promise<void> => {
    await this.#start(chosen);
    this.show("none");
  };

  /** Opens a table that is gone once more, for the same people. */
  readonly reopen = (gone: KeptSeat): void => {
    const again = { ...this.choice, ...gone.setup, others: "people" } as const;
    this.act(() => Live.open(this.#client, this.changed, again, gone).then((live) => this.#playLive(live)));
  };

  /** Takes a free seat of the table that is shown, under a name. */
  readonly take = (seat: number, name: string): void => {
    this.#choose({ ...this.choice, name });
    const { live } = this;
    if (live) this.act(() => this.#sitDownTaken(live, live.take(seat, name)));
  };

  /** Opens the next game for the same people; undefined for who looks on. */
  get rematch(): (() => void) | undefined {
    const { live } = this;
    const open = live?.openRematch;
    return live && open && (() => this.act(() => this.#goOn(live, open())));
  }

  readonly deal = (): void => this.act(() => this.table?.next());
  readonly play = (card: Card): void => this.act(() => this.table?.play(card));
  readonly hint = (): void => this.#inquire(() => this.table?.hint());

  /** Looks at a deal that is over, and asks for that once; undefined where that is not to be had. */
  readonly review = (deal: number): (() => void) | undefined => {
    if (this.table?.countAll === undefined && this.counts.get(deal)?.record === undefined) return undefined;
    return () => this.#inquire(() => this.#look(deal));
  };

  async #look(deal: number): Promise<void> {
    const { table, shown } = this;
    if (table === undefined || shown === undefined || this.isLooking) return;
    this.#set({ isLooking: true });
    try {
      if (this.board?.record.deal !== deal) {
        const board = await this.#playBack(deal, shown);
        // Somebody else may have dealt meanwhile, and the next deal is played.
        if (table !== this.table || shown.position.state.deal !== this.shown?.position.state.deal) return;
        this.#set({ board });
      }
      this.show("board");
    } finally {
      this.#set({ isLooking: false });
    }
  }

  async #playBack(deal: number, { me, looksOn }: Shown): Promise<Board | undefined> {
    const record = this.counts.get(deal)?.record ?? (await this.table?.countAll?.())?.get(deal)?.record;
    if (record === undefined) throw new NoRecord();
    return openBoard(this.#client.patient, record, looksOn ? undefined : me);
  }

  readonly lookBack = (): void => this.#set({ lookedBack: this.looksBack ? undefined : this.shown?.position });

  readonly wish = (change: Partial<Wishes>): void => {
    const wishes = { ...this.wishes, ...change };
    keepWishes(wishes);
    this.#set({ wishes });
  };

  /** Begins a first game in which a coach says what to play. */
  readonly learn = (): void => {
    this.wish({ coach: true });
    this.leave("how");
    this.act(() => this.#start({ ...FIRST_CHOICE, name: this.choice.name, others: "easy" }));
  };

  readonly speak = (language: Language): void =>
    this.act(async () => {
      await chooseLanguage(language);
      this.changed();
    });

  readonly show = (panel: Panel): void => {
    this.#set({ panel });
    if (panel === "sheet") this.act(() => this.#countAll());
    if (panel === "games") this.act(() => dropGone(this.#client).then(this.changed));
  };

  /** Closes a panel, unless another one was opened in its place. */
  readonly leave = (panel: Panel): void => {
    if (panel === "how") this.#place.write(`table${this.#place.hash}`, this.#place.kept);
    if (this.panel === panel) this.show("none");
  };

  /** Counts all deals of the game: those before this window came to it by their record. */
  async #countAll(): Promise<void> {
    const { state, phase } = this.shown?.position ?? {};
    const over = (state?.deal ?? 1) - (phase === "playing" ? 1 : 0);
    const countAll = this.table?.countAll;
    if (this.counts.size >= over || countAll === undefined) return;
    this.counts = await countAll();
    this.changed();
  }
}
