import { expect, test } from 'vitest';
import {
  formatCallRecord,
  parseCallRecord,
  type CallRecord,
} from '../../../../../src/core/backup/call-records.ts';

const begun: CallRecord = {
  call: 9_007_199_254_740_993n,
  begunAt: '2026-11-22T02:13:00.000Z',
  accountId: 1,
  lookupId: 9_007_199_254_740_995n,
  source: 'upstream',
  bucket: 'upstream:1',
  requestKey: 'bat_1-2',
  about: 'ads of "a.com"\nin DE',
  unitsMax: 0.5,
};
const ended: CallRecord = {
  call: 3n,
  endedAt: '2026-11-22T02:13:01.000Z',
  answer: 'found',
  units: 1,
  charged: 0.25,
  reply: { hash: Buffer.from([1, 2, 0xff]), body: Buffer.from('reply') },
};

test.each<[string, CallRecord]>([
  ['begin', begun],
  ['end', ended],
  ['end without a charge and a reply', { ...ended, charged: null, reply: null }],
])('the %s of a call is one line, and parsed as it was written', (_, record) => {
  const line = formatCallRecord(record);
  expect(line).not.toContain('\n');
  expect(parseCallRecord(line)).toEqual(record);
});

test('no beginning of a line is a record, as a killed writer leaves one', () => {
  for (const record of [begun, ended]) {
    const line = formatCallRecord(record);
    for (let length = 0; length < line.length; length += 1)
      expect(parseCallRecord(line.slice(0, length)), line.slice(0, length)).toBeNull();
  }
});

test.each([
  '',
  '[]',
  'null',
  '{"call":"x"}',
  '{"call":"1"}',
  '{"call":"1","begunAt":"2026"}',
  '{"call":"1","endedAt":"2026"}',
])('%j is no record', (line) => {
  expect(parseCallRecord(line)).toBeNull();
});
