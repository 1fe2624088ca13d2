import { expect, test } from 'vitest';
import { createRateMeter } from '../../../../../src/core/batches/measure-rate.ts';

function open(windowMs = 30_000) {
  const clock = { ms: 1_000_000 };
  const meter = createRateMeter(() => clock.ms, windowMs);
  /** Advances by this many seconds, and records the progress at this time. */
  const after = (seconds: number, done: number) => {
    clock.ms += seconds * 1000;
    meter.note(done);
    return meter.perSecond();
  };
  return { clock, meter, after };
}

test('a rate meter returns null with one sample or without progress', () => {
  const { meter, after } = open();
  expect(meter.perSecond()).toBeNull();
  expect(after(0, 5)).toBeNull();
  expect(after(10, 5)).toBeNull();
});

test('a rate meter uses the samples of its window only', () => {
  const { after } = open();
  after(0, 0);
  expect(after(10, 1000)).toBe(100);
  after(10, 1010);
  after(10, 1020);
  expect(after(30, 1030)).toBeCloseTo(10 / 30);
});

test('a rate meter with a slow process uses the last sample before its window, too', () => {
  const { after } = open();
  after(0, 0);
  expect(after(120, 25)).toBeCloseTo(25 / 120);
  expect(after(120, 50)).toBeCloseTo(25 / 120);
});

test('a rate meter shows a falling rate as long as there is no progress', () => {
  const { clock, meter, after } = open();
  after(0, 0);
  after(10, 100);
  clock.ms += 90_000;
  expect(meter.perSecond()).toBe(1);
});

test('a rate meter starts from an earlier sample, and starts again after a reset or a decrease', () => {
  const { clock, meter } = open();
  meter.note(600);
  meter.begin(100, clock.ms - 50_000);
  expect(meter.perSecond()).toBe(10);
  meter.begin(700, clock.ms - 60_000);
  meter.begin(100, clock.ms + 1);
  expect(meter.perSecond()).toBe(10);
  meter.reset();
  meter.note(700);
  expect(meter.perSecond()).toBeNull();
  clock.ms += 1000;
  meter.note(710);
  expect(meter.perSecond()).toBe(10);
  meter.note(300);
  expect(meter.perSecond()).toBeNull();
});
