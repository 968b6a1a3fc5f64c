import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The folder of the service. */
export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
/** The Python in which the service is installed. */
export const PYTHON = process.env.PYTHON ?? `${ROOT}.venv/bin/python`;

/** A service of the tree, on a port of its own, that lives as long as the test. */
export class Service implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, baseUrl: string) {
    this.#process = process;
    this.baseUrl = baseUrl;
  }

  /** Starts a service with some settings, and waits until it listens. */
  static async start(settings: Record<string, string> = {}): Promise<Service> {
    const env = { ...process.env, HOST: "127.0.0.1", PORT: "0", PYTHONPATH: ROOT, ...settings };
    const started = spawn(PYTHON, ["-m", "service", "serve"], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const stop = (): boolean => started.kill();
    process.once("exit", stop);
    started.once("exit", () => process.off("exit", stop));
    for await (const line of createInterface(started.stdout)) {
      const { event, url } = JSON.parse(line) as { event: string; url: string };
      if (event === "serving") {
        started.stdout.resume();
        return new Service(started, url);
      }
    }
    throw new Error("the service does not start");
  }

  /** Stops it, and waits until it has ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, "exit");
    if (this.#process.kill()) await ended;
  }
}
