import { describe, expect, test } from 'vitest';
import { foldText } from '../../../../../../src/core/companies/fold-text.ts';
import { countryCode } from '../../../../../../src/core/companies/match/country-code.ts';
import { latinWords } from '../../../../../../src/core/companies/match/scripts/divide-native.ts';
import { romanise } from '../../../../../../src/core/companies/match/scripts/romanise.ts';
import { soundKeys } from '../../../../../../src/core/companies/match/scripts/sound-key.ts';
import { canonicalWord, kindOf } from '../../../../../../src/core/companies/match/word-kinds.ts';
import * as business from '../../../../../../src/core/companies/match/words/business-words.ts';
import { cityWords } from '../../../../../../src/core/companies/match/words/cities.ts';
import * as common from '../../../../../../src/core/companies/match/words/common-words.ts';
import { everydayWords } from '../../../../../../src/core/companies/match/words/everyday-words.ts';
import * as others from '../../../../../../src/core/companies/match/words/other-business-words.ts';
import * as people from '../../../../../../src/core/companies/match/words/people-names.ts';

describe('word lists', () => {
  test('words are folded, so that they can be found', () => {
    const lists = [business, common, others, people].flatMap((each) => Object.values(each));
    const words = [...lists, cityWords, everydayWords].flat().flatMap((row) => row.split(' '));
    expect(words.length).toBeGreaterThan(3000);
    expect(words.filter((word) => word === '' || foldText(word) !== word)).toEqual([]);
  });

  test.each([
    ['deutschland', 'place'],
    ['oesterreichischen', 'place'],
    ['retail', 'corporate'],
    ['services', 'generic'],
    ['fahrzeugtechnik', 'trade'],
    ['handyreparatur', 'dealer'],
    ['steel', 'industry'],
    ['rechtsanwalt', 'profession'],
    ['agentur', 'agency'],
    ['orlando', 'city'],
    ['schmidt', 'person'],
    ['apple', 'common'],
    ['gmbh', 'form'],
    ['quandex', 'other'],
  ])('%s is of the kind %s', (word, kind) => {
    expect(kindOf(canonicalWord(word))).toBe(kind);
  });

  test.each([
    ['gb', 'GB'],
    ['UK', 'GB'],
    ['United Kingdom', 'GB'],
    ['Deutschland', 'DE'],
    ['Türkiye', 'TR'],
    ['nowhere', null],
  ])('%s is the country %s', (text, code) => {
    expect(countryCode(text)).toBe(code);
  });
});

describe('scripts', () => {
  test.each([
    ['나이키', 'naiki'],
    ['アップル', 'apuru'],
    ['найк', 'naik'],
    ['μπακ', 'bak'],
    ['阿迪达斯', 'adidasi'],
  ])('%s is written %s', (word, latin) => {
    expect(romanise(foldText(word))).toBe(latin);
  });

  test('a name without spaces is divided at known words, and initials are spelled', () => {
    expect(latinWords('나이키코리아')).toEqual([
      { text: 'naiki', sounded: true },
      { text: 'korea', sounded: false },
    ]);
    expect(latinWords('비엠더블유코리아').map(({ text }) => text)).toEqual(['bmw', 'korea']);
  });

  test('transcriptions of a name share a sound key', () => {
    for (const [name, ...transcriptions] of [
      ['google', 'gugeul', 'guuguru'],
      ['starbucks', 'seutabeokseu', 'sutabakusu'],
      ['mercari', 'merukari'],
    ]) {
      const keys = soundKeys([name ?? '']);
      for (const each of transcriptions)
        expect(
          soundKeys([each]).some((key) => keys.includes(key)),
          each,
        ).toBe(true);
    }
    expect(soundKeys(['kia'])).not.toEqual(soundKeys(['koo']));
  });
});
