import type { Page } from 'playwright-core';

/** A text as a page shows it. */
export interface ShownText {
  readonly text: string;
  /** The name of its element, such as `code`. */
  readonly element: string;
  readonly color: Colour;
  /** Background of the text, after everything that shines through. */
  readonly background: Colour;
}

/** Red, green and blue from 0 to 255. */
export type Colour = readonly [number, number, number];

/** A text with its colour, and the colours behind it, the nearest first and the page's own last; as CSS writes them. */
interface PaintedText {
  readonly text: string;
  readonly element: string;
  readonly color: string;
  readonly behind: readonly string[];
}

/** Every text that the page shows. Pictures behind a text and translucent elements are not looked at. */
export async function readTexts(page: Page): Promise<readonly ShownText[]> {
  const painted = await page.locator('body *:visible').evaluateAll(readPaintedTexts);
  return painted.map(({ text, element, color, behind }) => {
    const background = behind.reduceRight<Colour>((below, each) => paintOver(below, each), [0, 0, 0]);
    return { text, element, color: paintOver(background, color), background };
  });
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
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

/** @throws Error when the colour is not written as `rgb(…)` or `rgba(…)`. */
function paintOver(below: Colour, painted: string): Colour {
  const parts = /^rgba?\(([\d., ]+)\)$/.exec(painted)?.[1]?.split(',').map(Number);
  if (parts === undefined) throw new Error(`${painted} is a colour of another form`);
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2])];
}

/** Types of the page that the function below uses; the project itself has none. */
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

/** Runs within the page, so it uses nothing from outside. */
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
