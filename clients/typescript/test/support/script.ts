import type { LiveGame } from "../../src/index.ts";

/** A stream that sends some pieces and then stays silent, or ends. */
export function say(pieces: (string | Uint8Array)[], ends = false) {
  return ({ signal }: Request) => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      if (ends) controller.close();
      else signal.addEventListener("abort", () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }), { headers: { "Content-Type": "text/event-stream" } });
  };
}

/** A refusal by the service. */
export const refuse =
  (code: string, status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ code, detail: "No.", title: "No", status, type: "/", instance: "/" }, { status, headers });

/** A message of the stream that shows a whole game. */
export const whole = (state: LiveGame) => `event: game\nid: ${state.version}\ndata: ${JSON.stringify(state)}\n\n`;
