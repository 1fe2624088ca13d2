import { describe, expect, test } from 'vitest';
import codes from '../../../../../../src/core/emails/replies/phrases/codes.json' with { type: 'json' };
import english from '../../../../../../src/core/emails/replies/phrases/english.json' with { type: 'json' };
import others from '../../../../../../src/core/emails/replies/phrases/other-languages.json' with { type: 'json' };
import { phrasePattern, type PhraseClass } from '../../../../../../src/core/emails/replies/phrases.ts';
import { foldText } from '../../../../../../src/core/companies/fold-text.ts';

const classes: readonly PhraseClass[] = [
  ...keysOf(english.classes),
  ...keysOf(english.fragments),
  'about_host',
  'later',
  'sender',
];
const languages: readonly {
  readonly language: string;
  readonly terms: Lists;
  readonly phrases: Lists;
}[] = others.languages;
const templates = Object.values(others.templates).flatMap((byClass: Lists) => Object.entries(byClass));

interface Lists {
  readonly [name: string]: readonly string[] | undefined;
}

describe('phrases', () => {
  test.each(classes)('of the class %s compile and do not match other words', (name) => {
    expect(phrasePattern(name).test('welcome')).toBe(false);
  });

  test.each(languages)('in $language belong to known classes and match', ({ phrases }) => {
    for (const [name, texts = []] of Object.entries(phrases)) {
      const known = classes.find((other) => other === name);
      expect(known, name).toBeDefined();
      if (known === undefined) continue;
      expect(texts.filter((text) => !phrasePattern(known).test(foldText(text)))).toEqual([]);
    }
  });

  test('are listed once in their class', () => {
    const lists = [
      ...Object.values({ ...english.classes, ...english.fragments }).map(({ phrases }) =>
        phrases.map(({ pattern }) => pattern),
      ),
      ...languages.flatMap(({ terms, phrases }) => [...Object.values(terms), ...Object.values(phrases)]),
      ...Object.values({ ...codes.enhanced, ...codes.basic }).map((list) =>
        list.codes.map(({ pattern }) => pattern),
      ),
    ];
    expect(lists.flatMap((list = []) => list.filter((entry, at) => list.indexOf(entry) !== at))).toEqual([]);
  });
});

test('every template belongs to a known class and has its terms in some language', () => {
  const shared: Lists = others.shared;
  const isUsed = (template: string) =>
    languages.some(({ terms }) =>
      [...template.matchAll(/\{([a-z_]+)\}/g)].every(
        ([, name = '']) => ({ ...shared, ...terms })[name] !== undefined,
      ),
    );
  expect(templates.filter(([name]) => !classes.some((known) => known === name))).toEqual([]);
  expect(templates.flatMap(([, texts = []]) => texts.filter((text) => !isUsed(text)))).toEqual([]);
});

function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
