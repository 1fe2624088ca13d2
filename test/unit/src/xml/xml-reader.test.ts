import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { XmlError } from '../../../../src/xml/decode-entities.ts';
import { createXmlReader } from '../../../../src/xml/xml-reader.ts';
import { randomRuns } from '../../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

/** Parts of a document: `<name a=value`, `</name`, and text, joined. */
type Part = string;

function readParts(chunks: readonly string[]): Part[] {
  const parts = createParts();
  const reader = createXmlReader({
    onOpen: (name, tag) => parts.add(`<${name} a=${tag.attribute('a')} b=${tag.attribute('b')}`),
    onClose: (name) => parts.add(`</${name}`),
    onText: parts.addText,
  });
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  return parts.all();
}

function saxesParts(document: string): Part[] {
  const parts = createParts();
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, attributes }) =>
    parts.add(`<${local} a=${attributes['a']?.value} b=${attributes['p:b']?.value}`),
  );
  parser.on('closetag', ({ local }) => parts.add(`</${local}`));
  const addWithin = (text: string) => {
    if (parts.depth() > 0) parts.addText(text);
  };
  parser.on('text', addWithin);
  parser.on('cdata', addWithin);
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(document).close();
  return parts.all();
}

function createParts() {
  const parts: Part[] = [];
  let text = '';
  let depth = 0;
  const flush = () => {
    if (text !== '') parts.push(`"${text}`);
    text = '';
  };
  return {
    add(part: string) {
      flush();
      depth += part.startsWith('</') ? -1 : 1;
      parts.push(part);
    },
    addText: (more: string) => void (text += more),
    depth: () => depth,
    all: () => parts,
  };
}

const names = fc.constantFrom('row', 'c', 'v', 'p:t', 'is');
const characters = fc.constantFrom(
  'a',
  ' ',
  '\n',
  '\r\n',
  '&amp;',
  '&lt;',
  '&#65;',
  '&#x1F600;',
  '"',
  "'",
  '>',
  'ä',
  '😀',
  '/',
  '=',
);
const textOf = fc.array(characters, { maxLength: 8 }).map((list) => list.join('').replaceAll(']]>', ''));
const valueOf = textOf.map((text) => text.replace(/["\r\n]/g, ''));
const blank = fc.constantFrom('', ' ', '\n  ');
const attribute = fc
  .tuple(fc.constantFrom('a', 'p:b'), blank, valueOf, fc.boolean())
  .map(([name, space, value, single]) => {
    const quote = single && !value.includes("'") ? "'" : '"';
    return { name, text: ` ${space}${name}${space}=${space}${quote}${value}${quote}` };
  });
const attributes = fc
  .uniqueArray(attribute, { selector: ({ name }) => name, maxLength: 2 })
  .map((list) => list.map(({ text }) => text).join(''));
const others = fc.constantFrom(
  '<!-- <x> & -- -->'.replace(' -- ', ' '),
  '<![CDATA[<y> & ]] >]]>',
  '<?target <z>?>',
);

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(names, attributes, blank, fc.array(tie('content'), { maxLength: 4 }))
    .map(([name, list, space, content]) =>
      content.length === 0
        ? `<${name}${list}${space}/>`
        : `<${name}${list}${space}>${content.join('')}</${name}${space}>`,
    ),
  content: fc.oneof({ maxDepth: 5 }, textOf, others, tie('element')),
}));
const documents = fc
  .tuple(fc.constantFrom('', '<?xml version="1.0"?>', '<!-- before -->\n'), element, blank)
  .map(([before, root, after]) => `${before}<root xmlns:p="u">${root}</root>${after}`);

test('documents have the same parts as another parser finds, in any chunks', () => {
  const property = fc.property(
    documents,
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
    (document, sizes) => {
      expect(readParts(cut(document, sizes))).toEqual(saxesParts(document));
    },
  );
  fc.assert(property, { seed: takeSeedNumber(), numRuns: randomRuns(10_000) });
});

function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

describe('a document is rejected:', () => {
  test.each([
    [
      '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
      'it has a document type declaration, which no spreadsheet program writes',
    ],
    ['<a>&x;</a>', 'the entity "&x;" is not defined'],
    ['<a>& b</a>', 'is not defined'],
    ['<a>&#xD800;</a>', 'the entity "&#xD800;" is not defined'],
    ['<a><b></a></b>', 'the end tag "a" closes no element'],
    ['<a/><b/>', 'it has more than one root element'],
    ['<a/>text', 'it has text outside of all elements'],
    ['<a b></a>', 'an attribute has no value'],
    ['<a b=c></a>', 'the value of an attribute is not quoted'],
    ['<a b="c"d="e"/>', 'a tag is not well-formed'],
    ['<a / b="c">', 'a tag has a misplaced "/"'],
    ['<a <b/>', 'a tag is not well-formed'],
    ['<a><b>', 'the element "b" is not closed'],
    ['<a b="c', 'it ends within a tag'],
    ['<a><![CDATA[x', 'it ends within a tag'],
    ['', 'it has no content'],
    ['<a>'.repeat(101), 'its elements are nested deeper than 100'],
    [`<a>${'x'.repeat(5_000_000)}`, 'a tag or a text is too long'],
  ])('%.60s', (document, reason) => {
    expect(() => readParts([document])).toThrow(XmlError);
    expect(() => readParts([document])).toThrow(reason);
  });
});
