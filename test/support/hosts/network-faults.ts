import { setTimeout as wait } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Environment } from '../cli/nightshift-process.ts';
import { untilMoreDone } from '../storm/progress.ts';
import type { FaultInjection } from '../storm/storm.ts';
import { faultWaitMsMax } from '../wait-bound.ts';
import { hasNetem } from './network-tools.ts';
import { openSlowRelay } from './slow-relay.ts';
import { cuts, type WorkerHost } from './worker-hosts.ts';

/** Settings that name servers. */
const serverSettings = ['DATABASE_URL', 'REDIS_URL', 'NIGHTSHIFT_UPSTREAM_URL'] as const;

/** Number of lookups that finish under a fault that lasts. */
const doneUnder = 30;

interface PartitionOptions {
  readonly hosts: readonly WorkerHost[];
  readonly secondsMax: number;
  /** Receives how long it took until a host heard from the source again, after each partition. */
  readonly onBack: (tookMs: number) => void;
}

/** Cuts every host off again and again, each in its own time, so that sometimes several are away. */
export function partition({ hosts, secondsMax, onBack }: PartitionOptions): FaultInjection {
  return async ({ random }, _pool, faults) => {
    const partitionOne = async (host: WorkerHost) => {
      await wait(random(2000));
      const [cut = 'both ways'] = cuts.slice(random(cuts.length));
      host.cut(cut);
      await wait(1000 + random((secondsMax - 1) * 1000));
      const received = host.countReceived();
      host.heal();
      const healedAtMs = performance.now();
      await vi.waitUntil(() => host.countReceived() > received, { timeout: faultWaitMsMax, interval: 50 });
      onBack(Math.round(performance.now() - healedAtMs));
    };
    await Promise.all(
      hosts.map(async (host, i) => {
        for (let n = i; n < faults; n += hosts.length) await partitionOne(host);
      }),
    );
  };
}

/** Loses packets of every host during `inject`. */
export function loseDuring(
  hosts: readonly WorkerHost[],
  percent: number,
  inject: FaultInjection,
): FaultInjection {
  return async (...storm) => {
    for (const host of hosts) host.lose(percent);
    try {
      await inject(...storm);
    } finally {
      for (const host of hosts) host.lose(0);
    }
  };
}

/** Delays packets of every host during `inject`, where the kernel can; elsewhere the phase needs the settings of `slow`. */
export function delayDuring(
  hosts: readonly WorkerHost[],
  { how, delayMs }: SlowServers,
  inject: FaultInjection,
): FaultInjection {
  if (how === 'relay') return inject;
  return async (...storm) => {
    for (const host of hosts) host.delay(delayMs);
    try {
      await inject(...storm);
    } finally {
      for (const host of hosts) host.delay(0);
    }
  };
}

/** Lets the batch go on. */
export const workOn: FaultInjection = ({ run }) => untilMoreDone(run.database, doneUnder);

/** Slow servers, as hosts of workers see them. */
export interface SlowServers {
  readonly how: 'netem' | 'relay';
  /** In each direction. */
  readonly delayMs: number;
  /** Settings with the addresses of the servers; the same addresses with netem. */
  readonly settings: Environment;
  /** Ports of the addresses of the source, other than its own. */
  readonly sourcePorts: readonly number[];
  readonly close: () => Promise<void>;
}

/** Opens addresses of these servers on loopback, behind which everything is held for `delayMs` in each direction, unless the kernel has netem. */
export async function openSlowServers(servers: Environment, delayMs: number): Promise<SlowServers> {
  const named = serverSettings.flatMap((name) => {
    const url = servers[name];
    return url === undefined ? [] : [[name, new URL(url)] as const];
  });
  if (hasNetem()) {
    const settings = Object.fromEntries(named.map(([name, url]) => [name, url.href]));
    return { how: 'netem', delayMs, settings, sourcePorts: [], close: () => Promise.resolve() };
  }
  const relays = await Promise.all(named.map(([, url]) => openSlowRelay(Number(url.port), delayMs)));
  const ports = relays.map(({ port }) => port);
  const settings = named.map(([name, url], i) => {
    url.port = String(ports[i]);
    return [name, url.href.replace(/\/$/, '')];
  });
  return {
    how: 'relay',
    delayMs,
    settings: Object.fromEntries(settings) as Environment,
    sourcePorts: ports.filter((_, i) => named[i]?.[0] === 'NIGHTSHIFT_UPSTREAM_URL'),
    close: async () => void (await Promise.all(relays.map((relay) => relay.close()))),
  };
}

/** Settings with the addresses at which a host reaches the servers. */
export function settingsOn(host: WorkerHost, settings: Environment): Environment {
  const reached = serverSettings.flatMap((name) => {
    const url = settings[name];
    return url === undefined ? [] : [[name, host.reach(url)]];
  });
  return { ...settings, ...(Object.fromEntries(reached) as Environment) };
}
