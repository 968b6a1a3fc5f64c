import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PYTHON, ROOT } from "./service.ts";

/** A Redis server on a port of its own, whose memory is lost when it is killed, but for its last snapshot. */
export class Store implements AsyncDisposable {
  readonly #program: string;
  readonly #folder: string;
  readonly #port: number;
  #kill: () => Promise<void> = async () => undefined;

  private constructor(program: string, folder: string, port: number) {
    this.#program = program;
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<Store> {
    const find = "from tests.support.redis_server import find_or_get; print(find_or_get())";
    const program = execFileSync(PYTHON, ["-c", find], { cwd: ROOT, encoding: "utf8" }).trim();
    const store = new Store(program, mkdtempSync(join(tmpdir(), "redis-")), await findPort());
    await store.start();
    return store;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts from the last snapshot, and waits until it answers. */
  async start(): Promise<void> {
    const words = ["--port", `${this.#port}`, "--bind", "127.0.0.1", "--dir", this.#folder, "--save", ""];
    const running = spawn(this.#program, words, { stdio: "ignore" });
    const kill = () => running.kill("SIGKILL");
    process.once("exit", kill);
    this.#kill = async () => {
      const ended = once(running, "exit");
      if (kill()) await ended;
      process.removeListener("exit", kill);
    };
    while ((await this.#ask("PING")) !== "+PONG") await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Writes a snapshot. */
  async save(): Promise<void> {
    const said = await this.#ask("SAVE");
    if (said !== "+OK") throw new Error(`Redis says ${said}`);
  }

  /** Kills it; what came after the last snapshot is lost. */
  async kill(): Promise<void> {
    await this.#kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kill();
    await rm(this.#folder, { recursive: true });
  }

  /** Returns the answer to a command; undefined if there is none. */
  #ask(command: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, "127.0.0.1", () => socket.write(`${command}\r\n`));
      socket.once("data", (data) => resolve(data.toString().trim()));
      socket.once("data", () => socket.destroy());
      socket.once("error", () => resolve(undefined));
    });
  }
}

/** Returns a port that nobody listens on. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
