import { useEffect, useRef } from "preact/hooks";

/**
 * Keeps the focus at the table when the element that had it is gone: on the card that is now in the place of the one
 * that was played, and after the last one on the way to the next deal. A browser would go to the top of the page.
 */
export function useKeptFocus() {
  const main = useRef<HTMLElement>(null);
  /** The place of the card that had the focus; undefined if nothing at the table had it. */
  const place = useRef<number>();
  const listCards = () => [...(main.current?.querySelectorAll<HTMLElement>(".hand .card") ?? [])];
  useEffect(() => {
    if (place.current === undefined || document.activeElement !== document.body) return;
    const cards = listCards();
    const next = cards[Math.min(place.current, cards.length - 1)];
    (next ?? main.current?.querySelector<HTMLElement>(".after .main"))?.focus({ preventScroll: true });
  });
  return {
    ref: main,
    onFocusIn: ({ target }: FocusEvent): void => {
      place.current = Math.max(0, listCards().indexOf(target as HTMLElement));
    },
    onPointerDown: (): void => {
      place.current = undefined;
    },
  };
}
