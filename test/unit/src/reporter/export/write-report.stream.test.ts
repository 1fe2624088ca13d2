import { createWriteStream } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { writeReport } from '../../../../../src/reporter/export/write-report.ts';
import { about, reportOf } from '../sample-report.ts';

type Done = (error?: Error | null) => void;

/** A stream that collects its data and continues when `onWrite` calls `done`. */
function collector(onWrite: (done: Done) => void) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      onWrite(done);
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

test('a stream receives the whole report and stays open', async () => {
  const { stream, text } = collector((done) => done());
  const written = await writeReport(reportOf(20_000, 1_000), { format: 'ndjson', target: stream, about });
  expect(text().split('\n')).toHaveLength(20_001);
  expect(written).toMatchObject({ lines: 20_000, bytes: text().length });
  expect([stream.writableEnded, stream.destroyed, stream.listenerCount('error')]).toEqual([false, false, 0]);
});

test('a slow reader slows the source down', async () => {
  const waiting: Done[] = [];
  let blocks = 0;
  const { stream } = collector((done) => waiting.push(done));
  const report = reportOf(500_000, 10_000, () => void (blocks += 1));
  const writing = writeReport(report, { format: 'csv', target: stream, about });
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(blocks).toBe(1);
  waiting.shift()?.();
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  expect(blocks).toBe(2);
  stream.destroy(new Error('enough'));
  await expect(writing).rejects.toThrow('enough');
});

test('the error of a closed reader is thrown unchanged, without an unhandled rejection', async () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const { stream } = collector((done) => done(gone));
  await expect(writeReport(reportOf(10, 1), { format: 'csv', target: stream, about })).rejects.toBe(gone);
  await setImmediate();
  expect(stream.destroyed).toBe(true);
});

test.skipIf(process.platform !== 'linux')('a full device causes the error of the stream', async () => {
  const target = createWriteStream('/dev/full');
  const writing = writeReport(reportOf(10, 1), { format: 'csv', target, about });
  await expect(writing).rejects.toMatchObject({ code: 'ENOSPC' });
});

test('an abort ends the wait for a reader that reads nothing', async () => {
  const stop = new AbortController();
  const { stream } = collector(() => stop.abort(new Error('Ctrl-C')));
  const writing = writeReport(reportOf(10, 1), { format: 'csv', target: stream, about, signal: stop.signal });
  await expect(writing).rejects.toThrow('Ctrl-C');
});

test('an error of the source leaves the stream open', async () => {
  const { stream, text } = collector((done) => done());
  const lost = new Error('connection lost');
  const fail = (block: number): void => {
    if (block === 1) throw lost;
  };
  const writing = writeReport(reportOf(20_000, 10_000, fail), { format: 'csv', target: stream, about });
  await expect(writing).rejects.toBe(lost);
  expect([stream.writableEnded, stream.destroyed]).toEqual([false, false]);
  expect(text()).toContain('company 9999');
});
