import type { Locator, Page } from 'playwright-core';
import type { Colour } from './contrast.ts';

/** A point in the units of the drawing. */
export type Point = readonly [x: number, y: number];

/** A path of a drawing, by its first class. */
export interface DrawnPath {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Marks of a chart. */
export interface Marks {
  readonly width: number;
  readonly height: number;
  /** Position of its first grid line, which is that of 0. */
  readonly zero: number;
  readonly lines: readonly DrawnPath[];
  readonly columns: readonly DrawnPath[];
  readonly dots: number;
}

interface SvgElement {
  readonly getAttribute: (name: string) => string | null;
  readonly querySelectorAll: (selector: string) => Iterable<SvgElement>;
  readonly parentElement: SvgElement | null;
}
declare function getComputedStyle(element: unknown): {
  readonly fill: string;
  readonly stroke: string;
  readonly backgroundColor: string;
};

/** Reads the marks of a chart on the page. */
export async function readMarks(chart: Locator): Promise<Marks> {
  const read = await chart.evaluate((svg: SvgElement) => ({
    box: svg.getAttribute('viewBox') ?? '',
    zero: [...svg.querySelectorAll('.axis line')][0]?.getAttribute('y1') ?? '',
    paths: [...svg.querySelectorAll('path')].map((path) => ({
      name: path.getAttribute('class') ?? '',
      d: path.getAttribute('d') ?? '',
    })),
    dots: [...svg.querySelectorAll('circle')].length,
  }));
  const [, , width = 0, height = 0] = read.box.split(' ').map(Number);
  const paths = read.paths.map(({ name, d }) => ({ name: name.split(' ')[0] ?? '', points: pointsOf(d) }));
  return {
    width,
    height,
    zero: Number(read.zero),
    lines: paths.filter(({ name }) => name === 'line'),
    columns: paths.filter(({ name }) => name !== 'line'),
    dots: read.dots,
  };
}

/** Points of a path of absolute M, L, H and V. @throws Error for another command or an invalid number. */
function pointsOf(d: string): readonly Point[] {
  let at: Point = [0, 0];
  return [...d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)].flatMap(([, command = '', rest = '']) => {
    if (command === 'Z') return [];
    const values = rest.split(',').map(Number);
    if (values.some((value) => !Number.isFinite(value))) throw new Error(`${d} has what is no number`);
    at = move(at, command, values);
    return [at];
  });
}

function move([x, y]: Point, command: string, [first = 0, second = 0]: readonly number[]): Point {
  if (command === 'M' || command === 'L') return [first, second];
  if (command === 'H') return [first, y];
  if (command === 'V') return [x, first];
  throw new Error(`${command} is no command that our charts use`);
}

/** Colours of a chart, and its background. */
export interface Paint {
  readonly element: string;
  readonly paint: Colour;
  readonly background: Colour;
}

/** Reads the colours of every line, column, bar and label of the charts of a page, or of a part of it. */
export async function readPaints(part: Page | Locator): Promise<readonly Paint[]> {
  const paints = await part
    .locator('svg path, svg circle, svg text, svg .zero')
    .evaluateAll((elements: SvgElement[]) =>
      elements.map((element) => {
        const { fill, stroke } = getComputedStyle(element);
        const backgrounds: string[] = [];
        for (let one = element.parentElement; one !== null; one = one.parentElement)
          backgrounds.push(getComputedStyle(one).backgroundColor);
        const background = backgrounds.find((colour) => colour !== 'rgba(0, 0, 0, 0)') ?? '';
        return {
          name: element.getAttribute('class') ?? '',
          paint: stroke === 'none' ? fill : stroke,
          background,
        };
      }),
    );
  return paints.map(({ name, paint, background }) => ({
    element: name,
    paint: colourOf(paint),
    background: colourOf(background),
  }));
}

function colourOf(written: string): Colour {
  const [red, green, blue] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(written)?.slice(1).map(Number) ?? [];
  if (red === undefined || green === undefined || blue === undefined)
    throw new Error(`${written} is a colour of another form`);
  return [red, green, blue];
}
