import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../words/words.ts";

/** What is shown above the table until it is closed. */
export function Dialog({
  label,
  close,
  offer,
  children,
}: {
  label: string;
  close: () => void;
  /** What one can do here but close it. */
  offer?: ComponentChildren;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Not its first button, which may be far below.
    dialog.current?.focus();
    dialog.current?.scrollTo(0, 0);
  }, []);
  return (
    <dialog ref={dialog} aria-label={label} onClose={close} tabIndex={-1}>
      {children}
      <p class="buttons ends">
        {offer}
        <button type="button" onClick={close}>
          {say("close")}
        </button>
      </p>
    </dialog>
  );
}
