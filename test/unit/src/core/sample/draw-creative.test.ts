import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { drawCreative, type DrawnCreative } from '../../../../../src/core/sample/draw-creative.ts';
import { drawSample } from '../../../../../src/core/sample/draw-sample.ts';
import { sampleRows } from '../../../../../src/core/sample/sample-ads.ts';
import { parseSamplePicture } from '../../../../../src/core/sample/sample-picture.ts';
import { pictureOf } from '../../../../../src/reporter/documents/model/picture.ts';
import { vectors } from '../../../../support/xss/vectors.ts';

const formats = ['Text', 'Image', 'Video', 'Carousel'];
const nike: DrawnCreative = {
  format: 'Image',
  brand: 'Nike',
  headline: 'Discover Nike',
  description: 'Browse the whole range online.',
  displayUrl: 'example.com/nike',
  hue: 210,
  width: 336,
  height: 280,
};

/** Parses a drawing strictly, and returns its elements, attributes and texts. @throws Error for anything that is not well-formed XML. */
function parse(drawing: string) {
  const parser = new SaxesParser({ xmlns: true });
  const seen = {
    elements: new Set<string>(),
    attributes: new Map<string, string[]>(),
    texts: [] as string[],
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    seen.elements.add(name);
    for (const { name: key, value } of Object.values(attributes))
      seen.attributes.set(key, [...(seen.attributes.get(key) ?? []), value]);
  });
  parser.on('text', (text) => seen.texts.push(text));
  parser.write(drawing).close();
  return seen;
}

const allowedElements = ['svg', 'rect', 'circle', 'path', 'text', 'linearGradient', 'stop'];

function expectHarmless(drawing: string): void {
  const { elements, attributes } = parse(drawing);
  expect([...elements].filter((name) => !allowedElements.includes(name))).toEqual([]);
  const names = [...attributes.keys()];
  expect(names.filter((name) => /^on|href|^style$|^src$/i.test(name))).toEqual([]);
  const references = [...attributes].flatMap(([name, values]) =>
    name === 'aria-label'
      ? []
      : values.filter((value) => /url\(|:/.test(value) && !value.startsWith('http://www.w3.org/')),
  );
  expect(references.filter((value) => value !== 'url(#backdrop)')).toEqual([]);
}

describe.each(formats)('drawing of a %s ad', (format) => {
  test('is a valid document of its size, says that it is a sample, and is the same for the same ad', () => {
    const drawing = drawCreative({ ...nike, format });
    const { attributes, texts } = parse(drawing);
    expect(attributes.get('width')?.[0]).toBe('336');
    expect(attributes.get('viewBox')).toEqual(['0 0 336 280']);
    expect(texts).toEqual(expect.arrayContaining(['SAMPLE', 'Discover Nike']));
    expect(drawCreative({ ...nike, format })).toBe(drawing);
    expectHarmless(drawing);
  });

  test('escapes hostile texts', () => {
    for (const { text } of vectors)
      expectHarmless(
        drawCreative({ ...nike, format, brand: text, headline: text, description: text, displayUrl: text }),
      );
  });

  test('is bounded for long texts, and keeps characters that XML does not allow out', () => {
    const strange = `\u0000\u0008\ud800\ufffe${'A very long headline about 株式会社 '.repeat(5000)}`;
    const drawing = drawCreative({
      ...nike,
      format,
      brand: strange,
      headline: strange.slice(0, 200),
      description: strange,
    });
    expect(drawing.length).toBeLessThan(5_000);
    expect(drawing).toContain('…');
    expectHarmless(drawing);
  });
});

test('every ad of the sample has a picture, and another one for another text', () => {
  const rows = sampleRows('2026-11-27');
  const drawings = rows.map(({ content }) => {
    const picture = pictureOf(content?.variants[0]?.content ?? '');
    const parsed = parseSamplePicture(picture?.href ?? '');
    const drawing = parsed === null ? null : drawSample(parsed);
    expect(drawing).not.toBeNull();
    const { attributes } = parse(drawing ?? '');
    expect(attributes.get('aria-label')).toEqual([`Sample ad: ${content?.text?.headline ?? ''}`]);
    return drawing ?? '';
  });
  expect(Math.max(...drawings.map((drawing) => drawing.length))).toBeLessThan(2_500);
  expect(new Set(drawings).size).toBeGreaterThan(rows.length / 2);
});

test.each([
  '/sample-creatives/CR00000000001003000096.svg',
  '/sample-creatives/CR00000000001003000096-1000.svg',
  '/sample-creatives/CR00000000001003000096-1.svg?x',
  '//sample-creatives/CR00000000001003000096-1.svg',
  '/sample-creatives/../CR00000000001003000096-1.svg',
  'https://evil.example/sample-creatives/CR00000000001003000096-1.svg',
])('%s is no picture of the sample', (path) => {
  expect(parseSamplePicture(path)).toBeNull();
  expect(pictureOf(`<img src="${path}">`)).toBeNull();
});

test.each([
  'CR00000000000000000001',
  'CR00000000001003000096',
  'CR10000000001900000096',
  'CR19999999999999999999',
])('a creative %s, which the sample cannot have, is not drawn', (creativeId) => {
  expect(drawSample({ creativeId, revision: 0 })).toBeNull();
});
