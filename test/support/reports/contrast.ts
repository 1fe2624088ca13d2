import type { Page } from 'playwright-core';

/** A text as it is visible on a page. */
export interface ShownText {
  readonly text: string;
  /** Name of its element, such as `code`. */
  readonly element: string;
  readonly color: Colour;
  /** Background of the text, with all translucent layers applied. */
  readonly background: Colour;
}

/** Red, green and blue from 0 to 255. */
export type Colour = readonly [number, number, number];

/** A text with its colour and the colours behind it, as CSS values: the nearest first, the page's own last. */
interface PaintedText {
  readonly text: string;
  readonly element: string;
  readonly color: string;
  readonly behind: readonly string[];
}

/** Reads every visible text of the page. Ignores images behind a text and translucent elements. */
export async function readTexts(page: Page): Promise<readonly ShownText[]> {
  const painted = await page.locator('body *:visible').evaluateAll(readPaintedTexts);
  return painted.map(({ text, element, color, behind }) => {
    const background = behind.reduceRight<Colour>((below, each) => paintOver(below, each), [0, 0, 0]);
    return { text, element, color: paintOver(background, color), background };
  });
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of a colour, from 0 to 1 (WCAG 2.2). */
export function luminanceOf(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @throws Error when the colour is not in the form `rgb(…)` or `rgba(…)`. */
function paintOver(below: Colour, painted: string): Colour {
  const parts = /^rgba?\(([\d., ]+)\)$/.exec(painted)?.[1]?.split(',').map(Number);
  if (parts === undefined) throw new Error(`${painted} is a colour of another form`);
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2])];
}

/** Types of the page for the function below; the project does not include the DOM types. */
interface Element {
  readonly localName: string;
  readonly parentElement: Element | null;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>;
  readonly style: { backgroundColor: string };
  readonly append: (child: Element) => void;
  readonly remove: () => void;
}
declare const document: { readonly body: Element; readonly createElement: (name: string) => Element };
declare function getComputedStyle(element: Element): {
  readonly color: string;
  readonly backgroundColor: string;
};

/** Runs inside the page and uses nothing from outside. */
function readPaintedTexts(elements: readonly Element[]): readonly PaintedText[] {
  const probe = document.createElement('i');
  probe.style.backgroundColor = 'Canvas';
  document.body.append(probe);
  const canvas = getComputedStyle(probe).backgroundColor;
  probe.remove();

  const ownText = (element: Element) =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === 3)
      .map(({ textContent }) => (textContent ?? '').trim())
      .join(' ')
      .trim();
  const backgrounds = (element: Element | null): readonly string[] =>
    element === null
      ? [canvas]
      : [getComputedStyle(element).backgroundColor, ...backgrounds(element.parentElement)];
  return elements
    .map((element) => ({
      text: ownText(element),
      element: element.localName,
      color: getComputedStyle(element).color,
      behind: backgrounds(element),
    }))
    .filter(({ text }) => text !== '');
}
