import { expect, test } from 'vitest';
import { shownTarget } from '../../../../../src/core/events/webhook-store.ts';

test.each([
  ['slack', 'https://hooks.slack.com/services/T0/B0/secret', 'https://hooks.slack.com/…'],
  ['webhook', 'https://acme.com/in?token=secret', 'https://acme.com/in?…'],
  ['webhook', 'https://acme.com:8443/in', 'https://acme.com:8443/in'],
  ['email', 'jane@acme.com', 'jane@acme.com'],
] as const)('target of the %s webhook %s is displayed as %s', (kind, target, shown) => {
  expect(shownTarget(kind, target)).toBe(shown);
});
