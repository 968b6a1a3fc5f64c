import { correction, generate } from "lean-qr/nano";
import { useState } from "preact/hooks";
import { say } from "../words/words.ts";

/** Characters of the longest link that a code can have. */
const LONGEST_CODE = 2900;

/** A link to an address of this page, to copy, to share from a phone, or to show to one as a code. */
export function Link({ title, link: address }: { title: string; link: string }) {
  const link = new URL(address, new URL("table", document.baseURI)).href;
  const [copied, setCopied] = useState(false);
  const [code, setCode] = useState(false);
  const copy = async (field: HTMLInputElement | null | undefined): Promise<void> => {
    // A page without TLS has no clipboard, only the old way.
    if (navigator.clipboard) await navigator.clipboard.writeText(link);
    else {
      field?.select();
      document.execCommand("copy");
    }
    setCopied(true);
  };
  return (
    <span class="link">
      <label>
        {title}
        <input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button
        type="button"
        aria-label={say("lobby.copy_what", { what: title })}
        onClick={(event) => void copy(event.currentTarget.parentElement?.querySelector("input"))}
      >
        {say(copied ? "lobby.copied" : "lobby.copy")}
      </button>
      {"share" in navigator && (
        <button type="button" aria-label={say("lobby.share_what", { what: title })} onClick={() => share(link)}>
          {say("lobby.share")}
        </button>
      )}
      {link.length <= LONGEST_CODE && (
        <button
          type="button"
          aria-expanded={code}
          aria-label={say("lobby.code_what", { what: title })}
          onClick={() => setCode(!code)}
        >
          {say("lobby.code")}
        </button>
      )}
      {code && <QrCode title={title} text={link} />}
    </span>
  );
}

/** A link that is rarely wanted, behind its title. */
export function FoldedLink({ summary, ...link }: { summary?: string; title: string; link: string }) {
  return (
    <details>
      <summary>{summary ?? link.title}</summary>
      <Link {...link} />
    </details>
  );
}

function share(url: string): void {
  // Who closes the list of apps shares with none.
  navigator.share({ title: say("title"), text: say("lobby.share_text"), url }).catch(() => undefined);
}

/** The lightest squares around a code that its readers need. */
const QUIET = 4;

function QrCode({ title, text }: { title: string; text: string }) {
  const code = generate(text, { minCorrectionLevel: correction.L });
  const lines = Array.from({ length: code.size }, (_, y) => y);
  const dark = lines.flatMap((y) => lines.flatMap((x) => (code.get(x, y) ? [`M${x} ${y}h1v1h-1z`] : [])));
  const size = code.size + 2 * QUIET;
  return (
    <svg
      class="qr"
      role="img"
      aria-label={say("lobby.code_label", { what: title })}
      viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`}
    >
      <rect x={-QUIET} y={-QUIET} width={size} height={size} fill="#fff" />
      <path d={dark.join("")} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
