import { expect, test } from 'vitest';
import { emailReasons } from '../../../../../src/core/emails/reasons.ts';
import { reasonLabel } from '../../../../../src/console/pages/emails/reason-label.ts';

test.each([
  ['domain_not_found', 'Domain not found'],
  ['null_mx', 'Null MX'],
  ['smtputf8_unsupported', 'SMTPUTF8 unsupported'],
  ['spf_reject_all_without_mx', 'SPF reject all without MX'],
  ['', ''],
])('label of the reason %s', (code, label) => {
  expect(reasonLabel(code)).toBe(label);
});

test('every reason has a short label of its own', () => {
  const labels = Object.keys(emailReasons).map(reasonLabel);
  expect(new Set(labels).size).toBe(labels.length);
  for (const label of labels) expect(label).toMatch(/^[A-Z][\w ]{3,30}$/);
});
