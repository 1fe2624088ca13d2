import { expect, test } from 'vitest';
import { startDelivering } from '../../../../../src/core/events/deliver-events.ts';
import type { DueDelivery } from '../../../../../src/core/events/delivery.ts';

test('event delivery sends all due events of a receiver before it stops, even one that becomes due during the last claim', async () => {
  const due = [delivery(1n), delivery(2n)];
  const sent: bigint[] = [];
  const inFlight = newGate();
  const ended = newGate();
  let isBusy = false;
  const deliverer = startDelivering({
    deliveries: {
      // A receiver gets one event at a time. The claim beside the first delivery ends with that delivery.
      claim: async () => {
        if (isBusy) {
          inFlight.open();
          await ended.opened;
          return [];
        }
        const next = due.slice(0, 1);
        isBusy = next.length > 0;
        return next;
      },
      end: (delivered) => {
        sent.push(delivered.eventKey);
        due.shift();
        isBusy = false;
        setImmediate(ended.open);
        return Promise.resolve();
      },
      release: () => Promise.resolve(),
    },
    channel: {
      send: async () => {
        await inFlight.opened;
        return { kind: 'delivered', status: 200 };
      },
    },
    kinds: ['webhook'],
    pollEveryMs: 60_000,
    random: () => 0,
    onError: (error) => {
      throw error;
    },
  });
  await deliverer.close(60_000);
  expect(sent).toEqual([1n, 2n]);
});

function newGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

function delivery(eventKey: bigint): DueDelivery {
  return {
    eventKey,
    webhookKey: 1,
    attempt: 1,
    envelope: {
      eventId: `evt_${eventKey}`,
      event: 'scan.changes',
      createdAt: new Date(0),
      payload: {},
      timeZone: null,
    },
    receiver: { kind: 'webhook', target: 'https://example.com', secrets: [] },
  };
}
