/** What one does in a window: sits down, opens tables, goes on from one to the next, looks at panels. It draws nothing. */

import type { Card, Ruleset } from "catch-the-ten";
import {
  type Address,
  addressOf,
  DamagedAddress,
  openAddress,
  readAddress,
  readState,
  writeAddress,
} from "./address.ts";
import { Attention } from "./attention.ts";
import { openLink } from "./board.ts";
import { Books, type Told } from "./books.ts";
import { Recorder } from "./calls.ts";
import { Clock } from "./clock.ts";
import type { Strength } from "./computer.ts";
import { Deals, type Seen } from "./deals.ts";
import { findTables, type KeptSeat } from "./kept-seats.ts";
import { Live } from "./live.ts";
import { createClients, type PageClient } from "./patience.ts";
import { type Choice, FIRST_CHOICE, FIRST_STRENGTH, Solo } from "./solo.ts";
import { read, write } from "./storage.ts";
import type { StreamTurns } from "./streams.ts";
import type { Table } from "./table-model.ts";
import { type Panel, TableWindow } from "./table-window.ts";
import { chooseLanguage, type Language } from "./words/words.ts";

/** The address of a window, and what its history keeps with it. */
export interface Place {
  /** The last part of the path. */
  readonly page: string;
  readonly hash: string;
  readonly kept: unknown;
  /** Whose turn it is to hold an event stream, among the windows of the browser. */
  readonly turns?: StreamTurns;
  write(address: string, kept: unknown): void;
}

/** The page at which the rules of the game are shown over the table. */
const HOW = "how-to-play";

/** Where the browser keeps what was chosen last, and the game that one plays alone: its address, and what one has seen. */
const CHOICE = "catch-the-ten choice";
const ALONE = "catch-the-ten alone";

export class Session extends TableWindow {
  choice: Choice = { ...FIRST_CHOICE, ...read<Choice>(CHOICE), seed: "" };
  readonly deals: Deals;
  readonly recorder: Recorder;
  readonly #attention = new Attention();
  readonly #client: PageClient;
  readonly #books: Books;
  readonly #clock: Clock;
  readonly #place: Place;
  readonly #draw: () => void;
  /** The address of the position that is shown. */
  #here: string | undefined;
  /** The address to which one came last. */
  #address: Address | undefined;
  constructor(place: Place, draw: () => void, baseUrl = "", clock = new Clock()) {
    super();
    this.#place = place;
    this.#draw = draw;
    this.#clock = clock;
    this.recorder = new Recorder(draw, clock);
    this.#client = createClients(this.recorder, clock, baseUrl, place.turns);
    this.#books = new Books(this.#client);
    this.deals = new Deals(this.#client, this.changed);
    if (place.page === HOW) this.panel = "how";
  }

  get rulesets(): readonly Ruleset[] {
    return this.#books.rulesets;
  }

  /** The rules by which is played here, or would be; undefined until they are read. */
  get told(): Told | undefined {
    const { shown, lobby } = this;
    const first = this.chooseFirst(false);
    return this.#books.tell(
      shown?.position.state.rules ?? lobby?.state.rules ?? first.rules,
      shown || !lobby ? first : { players: lobby.seats.length, sides: lobby.state.sides.length },
    );
  }

  /** Returns what a new game begins with: what is played now. */
  chooseFirst(live: boolean): Choice {
    const first = { ...this.#books.withRules(this.choice), ...(live && { others: "people" as const }), seed: "" };
    if (this.shown === undefined) return first;
    const { rules, hands, sides } = this.shown.position.state;
    return { ...first, rules, players: hands.length, sides: sides.length };
  }

  /** Draws what has changed, keeps its address, and asks the coach. */
  readonly changed = (): void => {
    const { shown } = this;
    if (shown) this.deals.note(shown);
    const here =
      shown && this.lobby === undefined ? writeAddress(addressOf(shown.position, shown.me, this.rulesets)) : undefined;
    if (here && here !== this.#here) {
      const seen: Seen = [...this.deals.counts];
      this.#place.write(here, seen);
      write(ALONE, shown?.position.phase === "game_over" ? undefined : { address: here, seen });
    }
    this.#here = here;
    // Once the table has done what it is about.
    if (this.#attention.heed(shown, this.wishes)) this.#clock.ticks.later(this.hint, 0);
    this.#draw();
  };

  readonly again = (): void => {
    if (this.shown && this.table?.resume) this.act(() => this.table?.resume?.());
    else this.come();
  };

  /** Comes to where the address leads. */
  readonly come = (): void => {
    const address = readAddress(this.#place.hash);
    if (address.friends !== undefined) this.show("friends");
    this.#books.read().then(this.changed, (error: unknown) => this.fail(error));
    this.act(() => this.#arrive(address));
  };

  async #arrive(address: Address): Promise<void> {
    this.#address = address;
    const { position, state, game, deal } = address;
    if (deal !== undefined) return this.#lookAt(deal);
    if (game !== undefined) {
      const arriving = Live.arrive(this.#client, this.changed, address);
      return this.#goOn(arriving, () => this.#address === address);
    }
    if (position ?? state) return this.#openAlone(address, this.#place.kept as Seen | null);
    this.set({ tables: await findTables(this.#client) });
    if (this.#address !== address) return;
    if (this.tables.some(({ state: { phase, rematch } }) => phase !== "game_over" || rematch)) this.#sitDown(undefined);
    else await this.#goOnAlone();
  }

  /** Goes on with the game that one played alone when its window was closed, or starts one. */
  async #goOnAlone(): Promise<void> {
    const kept = read<{ address: string; seen: Seen }>(ALONE);
    if (kept === undefined) return this.#start({ ...this.choice, others: this.#strength });
    await this.#openAlone(readAddress(kept.address), kept.seen).catch((error: unknown) => {
      if (error instanceof DamagedAddress) write(ALONE, undefined);
      throw error;
    });
  }

  readonly playAlone = (): void => this.act(() => this.#goOnAlone());

  get #strength(): Strength {
    return this.choice.others === "people" ? FIRST_STRENGTH : this.choice.others;
  }

  async #openAlone({ position = "", state, seat }: Address, seen: Seen | null): Promise<void> {
    const given = state === undefined ? position : readState(state, await this.#books.read());
    return openAddress(this.#playAlone(seen).open(given, this.#strength, seat === undefined ? seat : Number(seat)));
  }

  /** Sits down at another table, and leaves the one that was shown. */
  #sitDown<T extends Table | undefined>(next: T, seen?: Seen | null): T {
    this.table?.close();
    this.table = next;
    this.deals.begin(seen);
    this.changed();
    return next;
  }

  #playAlone(seen?: Seen | null): Solo {
    return this.#sitDown(new Solo(this.#client, this.changed), seen);
  }

  async #playLive(live: Live): Promise<void> {
    this.#place.write(live.address, null);
    await this.#sitDown(live).follow();
    await this.#goOn(live.awaitRematch(), () => this.table === live);
  }

  /** Goes on to a live game once it is there, unless the player has gone elsewhere meanwhile. */
  async #goOn(to: Promise<Live | undefined>, isHere: (next: Live) => boolean): Promise<void> {
    const next = await to;
    if (next && isHere(next)) await this.#playLive(next);
    else next?.close();
  }

  /** Leaves the table that was shown, and looks at a deal by a link. */
  async #lookAt(deal: string): Promise<void> {
    this.#sitDown(undefined);
    this.deals.board = await openLink(this.#client.patient, deal);
    this.changed();
  }

  #choose(choice: Choice): void {
    write(CHOICE, choice);
    this.set({ choice });
  }

  /** Starts another game once the service has dealt it, or opened it: until then, the one that is shown goes on. */
  async #start(wanted: Choice): Promise<void> {
    if (!wanted.rules) await this.#books.read();
    const chosen = this.#books.withRules(wanted);
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
    // The link of a game that is over may have led on to the next one meanwhile.
    if (live)
      this.act(() => this.#goOn(live.take(seat, name), ({ id }) => this.table === live || this.live?.id === id));
  };

  /** Opens the next game for the same people; undefined for who looks on. */
  get rematch(): (() => void) | undefined {
    const { live } = this;
    const open = live?.openRematch;
    return live && open && (() => this.act(() => this.#goOn(open(), () => this.table === live)));
  }

  readonly deal = (): void => this.act(() => this.table?.next());
  readonly play = (card: Card): void => this.act(() => this.table?.play(card));
  readonly hint = (): void => this.inquire(() => this.table?.hint());

  /** Looks at a deal that is over, and asks for that once; undefined where that is not to be had. */
  readonly review = (deal: number): (() => void) | undefined =>
    this.deals.isKept(deal, this.table) ? () => this.inquire(() => this.#look(deal)) : undefined;

  async #look(deal: number): Promise<void> {
    const { table } = this;
    if (table && (await this.deals.look(deal, table, () => table === this.table))) this.show("board");
  }

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
    this.set({ panel });
    if (panel === "sheet") this.act(() => this.table && this.deals.countAll(this.table));
    if (panel === "games") this.act(async () => this.set({ tables: await findTables(this.#client) }));
  };

  /** Closes a panel, unless another one was opened in its place. */
  readonly leave = (panel: Panel): void => {
    if (panel === "how") this.#place.write(`table${this.#place.hash}`, this.#place.kept);
    if (this.panel === panel) this.show("none");
  };
}
