import { expect, test } from 'vitest';
import { chosenNameText } from '../../../../../../src/core/events/messages/text.ts';

test.each([
  ['companies.csv', 'companies.csv'],
  ['Kunden (neu) 2026.xlsx', 'Kunden (neu) 2026.xlsx'],
  ['Win at https://evil.example.com/now', 'Win at https evil[.]example[.]com/now'],
  ['go to evil.com', 'go to evil[.]com'],
  ['www.evil.co.uk/x', 'www[.]evil[.]co[.]uk/x'],
  ['jane@evil.com', 'jane at evil[.]com'],
  ['a\r\nBcc: all@example.com', 'a Bcc: all at example[.]com'],
  ['left\u202eright\u0000', 'left right'],
])('chosenNameText of %j is %j, without line breaks and links', (name, reported) => {
  expect(chosenNameText(name)).toBe(reported);
});
