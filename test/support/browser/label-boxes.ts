import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Expects that there are labels, none of which overlaps another or leaves its drawing. */
export async function expectApart(labels: Locator): Promise<void> {
  const boxes = await labels.evaluateAll((elements: LabelElement[]) =>
    elements.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const around = element.closest('svg').getBoundingClientRect();
      return { label: { left, right, top, bottom }, isInside: left >= around.left && right <= around.right };
    }),
  );
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.filter(({ isInside }) => !isInside)).toEqual([]);
  const overlaps = boxes.flatMap(({ label }, i) =>
    boxes.slice(i + 1).flatMap((other) => (overlap(label, other.label) ? [[label, other.label]] : [])),
  );
  expect(overlaps).toEqual([]);
}

interface LabelElement {
  readonly getBoundingClientRect: () => Box;
  readonly closest: (selector: string) => LabelElement;
}

/** True when two boxes share more than a pixel in both directions: lines of text touch. */
function overlap(one: Box, other: Box): boolean {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 1 && high > 2;
}
