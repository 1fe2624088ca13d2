import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { renderedMax, visibleRange } from './visible-range.ts';

const phone = matchMedia('(max-width: 40rem)');

/** Pixels from the end at which the next rows are wanted. */
const endPx = 400;

/**
 * Follows the scroll position of a table, and computes the rows to render. On a phone, where rows are cards of different heights, these
 * are the first ones, and `showMore` adds some.
 *
 * @param isDense false: rows have different heights, and all of them are rendered.
 * @param onEnd called when the user scrolls close to the last row.
 */
export function useVisibleRows(
  count: number,
  { isDense, onEnd }: { readonly isDense: boolean; readonly onEnd: () => void },
) {
  const scroller = useRef<HTMLDivElement>(null);
  const [rowHeight, setRowHeight] = useState(36);
  const [position, setPosition] = useState({ scrollTop: 0, height: 800 });
  const [cards, setCards] = useState(renderedMax);
  const isPhone = useIsPhone();
  const hasRows = count > 0;
  useLayoutEffect(() => {
    const row = scroller.current?.querySelector('tr[data-index]');
    const height = row?.getBoundingClientRect().height ?? 0;
    if (!isPhone && height > 0) setRowHeight(height);
  }, [hasRows, isPhone]);

  function rangeOf() {
    if (isPhone) return { from: 0, to: Math.min(count, cards) };
    return isDense ? visibleRange(count, { ...position, rowHeight }) : { from: 0, to: count };
  }

  function readPosition(element: HTMLElement): void {
    setPosition({ scrollTop: element.scrollTop, height: element.clientHeight });
  }

  return {
    scroller,
    rowHeight,
    isPhone,
    range: rangeOf(),
    onScroll: () => {
      const element = scroller.current;
      if (element === null) return;
      readPosition(element);
      const restPx = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (restPx < endPx && element.scrollTop > 0) onEnd();
    },
    /** Scrolls to a row, so that it is rendered. */
    reveal: (index: number) => {
      const element = scroller.current;
      if (element === null || isPhone || !isDense) return;
      const headPx = element.querySelector('thead')?.getBoundingClientRect().height ?? 0;
      const top = index * rowHeight;
      const lowest = top + rowHeight + headPx - element.clientHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (lowest > element.scrollTop) element.scrollTop = lowest;
      readPosition(element);
    },
    showMore: () => setCards((shown) => shown + renderedMax),
  };
}

function useIsPhone(): boolean {
  const [isPhone, setPhone] = useState(phone.matches);
  useEffect(() => {
    const update = () => setPhone(phone.matches);
    phone.addEventListener('change', update);
    return () => phone.removeEventListener('change', update);
  }, []);
  return isPhone;
}
